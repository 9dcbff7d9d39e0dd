import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

/** READMEs that render slowly or become very long. */
const texts: Readonly<Record<string, string>> = {
  'nested-tags': '<b>'.repeat(80_000),
  'nested-quotes': '>'.repeat(200_000),
  'nested-lists': Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n)}* a`)
    .join('\n')
    .slice(0, 250_000),
  'nested-brackets': '['.repeat(250_000),
  'nested-images': '!['.repeat(120_000),
  'nested-links': '[a]('.repeat(60_000),
  'nested-emphasis': '*a _b '.repeat(40_000),
  'nested-strong': '**a *b '.repeat(35_000),
  'open-code': '`'.repeat(250_000),
  'growing-code': Array.from({ length: 600 }, (_, n) => '`'.repeat(n)).join(' '),
  'open-comments': '<!--'.repeat(60_000),
  'open-declarations': '<!A '.repeat(60_000),
  'open-processing': '<?'.repeat(120_000),
  'open-attributes': '<a b="'.repeat(40_000),
  autolinks: 'http://a.'.repeat(28_000),
  'fuzzy-links': 'www.'.repeat(60_000),
  emails: 'a@'.repeat(120_000),
  entities: '&#x'.repeat(80_000),
  table: `${'|a'.repeat(400)}\n${'|-'.repeat(400)}\n${`${'|b'.repeat(400)}\n`.repeat(300)}`,
  'wide-table': `${'|a'.repeat(40_000)}\n${'|-'.repeat(40_000)}\n`,
  references: `[a]: ${'x'.repeat(50_000)}\n\n${'[a] '.repeat(40_000)}`,
  'many-references': Array.from({ length: 10_000 }, (_, n) => `[${n}]: x`).join('\n'),
  headings: '# a\n'.repeat(60_000),
  'same-headings': '## a b c\n\n'.repeat(20_000),
  rules: '---\n'.repeat(60_000),
  'hard-breaks': 'a  \n'.repeat(60_000),
  backslashes: '\\'.repeat(250_000),
  'html-blocks': '<div>\n\n'.repeat(30_000),
  styles: '<style>'.repeat(30_000),
  newlines: '\n'.repeat(250_000),
  spaces: ' '.repeat(250_000),
  tabs: '\t'.repeat(250_000),
  nulls: '\u0001'.repeat(250_000),
  combining: 'a\u0301'.repeat(80_000),
  'one-word': 'a'.repeat(255_000),
  'math-macro': String.raw`$\def\a{\a\a}\a$ `.repeat(2_000),
  'math-doubling': `$$${doublingMacros()}$$\n\n`.repeat(200),
  'math-many': '$x$ '.repeat(60_000),
  'math-open': '$x '.repeat(80_000),
  'math-open-display': '$$x '.repeat(60_000),
  'math-open-ticks': '$`x '.repeat(60_000),
  'math-blocks': '$$\nx\n$$\n'.repeat(28_000),
  'math-open-blocks': '$$\nx\n\n'.repeat(40_000),
  'math-nested': `$$\n${String.raw`\frac{1}{`.repeat(1_000)}\n$$\n\n`.repeat(20),
  'math-braces': `$$\n${'{'.repeat(9_900)}\n$$\n\n`.repeat(20),
  'math-matrix': `$$\\begin{matrix}${'&'.repeat(9_900)}\\end{matrix}$$\n\n`.repeat(20),
  footnotes: Array.from({ length: 12_000 }, (_, n) => `[^${n}] \n\n[^${n}]: a`).join('\n\n'),
  'same-footnote': `[^1]: a\n\n${'[^1]'.repeat(60_000)}`,
  'nested-footnotes': Array.from({ length: 20_000 }, (_, n) => `[^${n}]: [^${n + 1}]`).join('\n'),
  'open-footnotes': '[^'.repeat(120_000),
  tasks: '- [ ] a\n'.repeat(30_000),
  alerts: '> [!NOTE]\n> a\n\n'.repeat(14_000),
  'nested-alerts': Array.from({ length: 400 }, (_, n) => `${'> '.repeat(n + 1)}[!NOTE]`).join('\n'),
}

/** `\b` is `\a\a`, `\c` is `\b\b`, up to `\z`. */
function doublingMacros(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'
  const definitions = [...alphabet].slice(1).map((name, at) => `\\def\\${name}{${`\\${alphabet[at]}`.repeat(2)}}`)
  return `\\def\\a{xx}${definitions.join('')}\\z`
}

const quickNames: ReadonlySet<string> = new Set(['nested-tags', 'wide-table', 'math-many', 'footnotes'])

/** Markdown as the README of a repository. */
export const markdownInputs: readonly HostileInput[] = Object.entries(texts).map(([name, text]) => {
  const input = oneFile(`markdown-${name}`, 'README.md', text)
  return quickNames.has(name) ? quick(input) : input
})
