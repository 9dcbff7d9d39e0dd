import { quick, type Files, type HostileInput } from '../hostile-input.ts'

function paths(count: number, path: (n: number) => string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), 'x']))
}

const deep = (depth: number): string => `${'d/'.repeat(depth)}f.tex`

const trees: Readonly<Record<string, Files>> = {
  'one-folder': paths(40_000, (n) => `f${n}.txt`),
  'large-folder': paths(120_000, (n) => `f${n}`),
  'many-folders': paths(20_000, (n) => `d${n}/f.tex`),
  deep: { [deep(60)]: 'x' },
  'very-deep': { [deep(1_500)]: 'x' },
  'long-names': paths(300, (n) => `${n}${'n'.repeat(240)}.txt`),
  'long-paths': paths(200, (n) => `${`${'n'.repeat(200)}/`.repeat(15)}${n}.txt`),
  'names-of-markup': paths(500, (n) => `<b>"&'${n}.txt`),
  'names-of-lines': paths(500, (n) => `a\nb${n}.txt`),
  'names-of-spaces': paths(500, (n) => `${' '.repeat(200)}${n}`),
  'many-readmes': paths(2_000, (n) => `README${n}.md`),
  'same-letters': paths(30_000, (n) => `${'a'.repeat(60)}${n}.tex`),
  'many-sources': paths(20_000, (n) => `s${n}.tex`),
}

const messages: Readonly<Record<string, string>> = {
  long: 'a'.repeat(800_000),
  newlines: `a${'\n'.repeat(500_000)}b`,
  'of-markup': '<b>"&\''.repeat(60_000),
  'one-line': `${'w '.repeat(200_000)}`,
  signature: '-----BEGIN PGP '.repeat(40_000),
  returns: '\r'.repeat(400_000),
}

const aFile: Files = { 'a.txt': 'a\n' }
const aPaper: Files = { 'main.tex': '\\documentclass{article}\\begin{document}a\\end{document}\n' }

function links(count: number, path: (n: number) => string, target: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), target]))
}

/** Trees, commits, tags and branches of unusual size. */
export const treeInputs: readonly HostileInput[] = [
  ...Object.entries(trees).map(([name, files]) => {
    const input: HostileInput = { name: `tree-${name}`, commits: [{ files }] }
    return name === 'very-deep' ? quick(input) : input
  }),
  ...Object.entries(messages).map(([name, message]) => {
    const input: HostileInput = { name: `message-${name}`, commits: [{ files: aFile, message }], tags: { v1: message } }
    return name === 'newlines' ? quick(input) : input
  }),
  quick({
    name: 'links-that-double',
    isBuilt: true,
    commits: [{ files: { ...aPaper, 'd/x': 'x' }, links: links(25, (n) => `d/l${n}`, '.') }],
  }),
  {
    name: 'links-to-one-folder',
    isBuilt: true,
    commits: [{ files: { ...aPaper, ...paths(2_400, (n) => `d/${n}`) }, links: links(2_400, (n) => `l${n}`, 'd') }],
  },
  {
    // 130,000 files: few enough for git to write the archive within the time of a page.
    name: 'copies-of-a-folder',
    commits: [
      { files: { ...aPaper, ...paths(10_000, (n) => `d/${n}`) } },
      { files: {}, copies: { folder: 'd', count: 12 } },
    ],
    pages: ['/delete/main/d', '/move/main/d'],
  },
  { name: 'author-long', commits: [{ files: aFile, author: 'B'.repeat(200_000) }] },
  {
    name: 'blame-of-many-commits',
    commits: Array.from({ length: 400 }, (_, n) => ({
      files: { 'a.tex': Array.from({ length: 400 }, (_, m) => (m <= n ? `line ${m} ` : 'old')).join('\n') },
      message: `Change ${n} ${'m'.repeat(300)}`,
    })),
  },
  { name: 'blame-of-short-lines', commits: [{ files: { 'a.txt': 'a\n'.repeat(500_000) } }] },
  { name: 'blame-of-lines-below-the-limit', commits: [{ files: { 'a.tex': '{\n'.repeat(60_000) } }] },
  {
    name: 'history-of-many-commits',
    commits: Array.from({ length: 1_500 }, (_, n) => ({ files: { 'a.txt': `${n}\n` } })),
  },
  { name: 'branches-many', commits: [{ files: aFile }], branchCount: 4_000 },
  {
    name: 'tags-many',
    commits: [{ files: aFile }],
    tags: Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`v${'1.'.repeat(40)}${n}`, 'm'])),
  },
  quick({
    name: 'queries-long',
    commits: [{ files: paths(5_000, (n) => `${'ab'.repeat(60)}${n}.tex`) }],
    pages: [
      `/find/main?q=${'ab'.repeat(100)}`,
      `/search?q=${'a'.repeat(200)}`,
      `/search?q=${encodeURIComponent('.*'.repeat(100))}`,
      `/blob/main/${'a/'.repeat(900)}b`,
      `/compare/main...${'x'.repeat(2_000)}`,
      `/tree/${'a/'.repeat(30)}b`,
      `/commit/main?file=${'f'.repeat(4_000)}`,
      '/builds/99999999',
      '/commits/main?page=99999',
      `/badge/${'b'.repeat(1_000)}.svg`,
    ],
  }),
]
