import { changedFile, quick, type HostileInput } from '../hostile-input.ts'

function words(count: number, word: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => word(n)).join(' ')
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('')
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const letter = (n: number): string => letters[n % 26] ?? 'a'

/** Text before and after. */
const changes: Readonly<Record<string, readonly [path: string, before: string, after: string]>> = {
  letters: [
    'a.tex',
    lines(20, (n) => words(1_950, (m) => letter(m * 7 + n))),
    lines(20, (n) => words(1_950, (m) => letter(m * 11 + n + 3))),
  ],
  alternating: [
    'a.tex',
    lines(400, () => words(200, (n) => (n % 2 === 0 ? 'a' : `b${n}`))),
    lines(400, () => words(200, (n) => (n % 2 === 0 ? 'a' : `c${n}`))),
  ],
  'every-line': ['a.tex', lines(30_000, (n) => `line ${n}`), lines(30_000, (n) => `row ${n}`)],
  newlines: ['a.txt', '\n'.repeat(400_000), 'a\n'.repeat(400_000)],
  'one-line': ['a.txt', 'a'.repeat(500_000), 'b'.repeat(500_000)],
  shuffled: ['a.txt', lines(8_000, (n) => `line ${n % 89}`), lines(8_000, (n) => `line ${(n * 31) % 97}`)],
  'same-lines': ['a.txt', 'a\n'.repeat(200_000), 'a\n'.repeat(200_001)],
  'added-newlines': ['a.txt', 'a', '\n'.repeat(900_000)],
  spaces: ['a.tex', lines(2_000, () => 'a b'), lines(2_000, () => 'a  b')],
  punctuation: ['a.tex', lines(200, () => '.,'.repeat(1_500)), lines(200, () => ',.'.repeat(1_500))],
  'false-headings': ['a.txt', '@@ -1 +1 @@\n'.repeat(20_000), 'diff --git a/a b/a\n'.repeat(20_000)],
  binary: ['a.bin', '\0'.repeat(100_000), '\u0001\0'.repeat(50_000)],
  markup: ['a.md', lines(1_000, () => '<b>"&\''.repeat(100)), lines(1_000, () => '<i>"&\''.repeat(100))],
  bib: ['a.bib', lines(3_000, (n) => `@a{k${n}, title = {A b c}}`), lines(3_000, (n) => `@a{k${n}, title = {A d c}}`)],
}

const manyFiles = (count: number, text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`d${n % 50}/f${n}.tex`, `${text} ${n}\n`]))

const merged = (
  name: string,
  edit: HostileInput['edit'],
  [before, after]: readonly [string, string],
): HostileInput => ({
  name,
  commits: [{ files: { 'a.tex': before } }, { files: { 'a.tex': after } }],
  ...(edit === undefined ? {} : { edit }),
})

/** Changes of files, and edits to merge with them. */
export const changeInputs: readonly HostileInput[] = [
  ...Object.entries(changes).map(([name, [path, before, after]]) => {
    const input = changedFile(`change-${name}`, path, { before, after })
    return name === 'letters' ? quick(input) : input
  }),
  { name: 'change-of-4000-files', commits: [{ files: manyFiles(4_000, 'a') }, { files: manyFiles(4_000, 'b') }] },
  { name: 'change-of-9000-files', commits: [{ files: manyFiles(9_000, 'a') }, { files: manyFiles(9_000, 'b') }] },
  quick(
    merged(
      'merge-many-places',
      { path: 'a.tex', text: lines(20_000, (n) => (n % 4 === 0 ? `mine ${n}` : `kept ${n}`)) },
      [
        lines(20_000, (n) => (n % 4 === 0 ? `base ${n}` : `kept ${n}`)),
        lines(20_000, (n) => (n % 4 === 0 ? `theirs ${n}` : `kept ${n}`)),
      ],
    ),
  ),
  merged('merge-paragraphs', { path: 'a.tex', text: lines(480, (n) => (n % 2 === 0 ? '' : `mine ${n}`)).repeat(40) }, [
    lines(480, (n) => (n % 2 === 0 ? '' : `base ${n}`)).repeat(40),
    lines(480, (n) => (n % 2 === 0 ? '' : `theirs ${n}`)).repeat(40),
  ]),
  merged('merge-rules', { path: 'a.tex', text: `${'='.repeat(400_000)}\nmine\n` }, [
    `${'='.repeat(400_000)}\nbase\n`,
    `${'='.repeat(400_000)}\ntheirs\n`,
  ]),
  merged('merge-newlines', { path: 'a.tex', text: '\n'.repeat(400_000) }, [
    'a\n'.repeat(100_000),
    '\n'.repeat(300_000),
  ]),
  merged('merge-carriage-returns', { path: 'a.tex', text: 'mine\n'.repeat(100) }, [
    '\r'.repeat(500_000),
    '\r'.repeat(500_001),
  ]),
]
