import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

/** READMEs that have kept renderers busy, or become very long. */
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
}

const quickNames: ReadonlySet<string> = new Set(['nested-tags', 'wide-table'])

/** Markdown as the README of a repository. */
export const markdownInputs: readonly HostileInput[] = Object.entries(texts).map(([name, text]) => {
  const input = oneFile(`markdown-${name}`, 'README.md', text)
  return quickNames.has(name) ? quick(input) : input
})
