import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

const KB = 1024

/** `@string`s, each twice the one before. */
function doublingStrings(count: number): string {
  const strings = Array.from({ length: count }, (_, n) => `@string{s${n + 1} = s${n} # s${n}}\n`)
  return `@string{s0 = "aaaaaaaaaa"}\n${strings.join('')}@misc{a, title = s${count}}\n`
}

/** Databases, which are shown as lists of entries. */
const texts: Readonly<Record<string, string>> = {
  entries: '@a{b,title={c}}\n'.repeat(60 * KB),
  'doubling-strings': doublingStrings(60),
  'string-cycle': '@string{a = a # a}@string{b = c}@string{c = b # b}@misc{a, title = a # b}',
  'crossref-chain': Array.from({ length: 20_000 }, (_, n) => `@inbook{k${n}, crossref = {k${n + 1}}}`).join('\n'),
  'crossref-cycle': '@inbook{a, crossref = {b}}@inbook{b, crossref = {a}}'.repeat(9_000),
  authors: `@misc{a, author = {${'A and '.repeat(150_000)}B}}`,
  'author-parts': `@misc{a, author = {${'von de la '.repeat(90_000)}B, ${'{C} '.repeat(20_000)}}}`,
  fields: `@misc{a, ${Array.from({ length: 60_000 }, (_, n) => `f${n} = {a}`).join(', ')}}`,
  concatenations: `@misc{a, title = ${'"a" # '.repeat(150_000)}"a"}`,
  accents: `@misc{a, title = {${'{\\"{'.repeat(200_000)}}}`,
  braces: `@misc{a, title = {${'{}'.repeat(450_000)}}}`,
  'open-quotes': '@misc{a, title = "{'.repeat(50_000),
  'open-entries': '@misc{'.repeat(150_000),
  commands: `@misc{a, title = {${'\\textit{a'.repeat(100_000)}}}`,
  math: `@misc{a, title = {${'$\\frac{'.repeat(100_000)}}}`,
  links: `@misc{a, url = {${'http://a.'.repeat(100_000)}}, doi = {${'10.1/'.repeat(20_000)}}}`,
  comments: '@comment{'.repeat(110_000),
  spaces: `@misc{a,${' '.repeat(900_000)}title = {a}}`,
}

/** Bibliographies. */
export const bibliographyInputs: readonly HostileInput[] = Object.entries(texts).map(([name, text]) => {
  const input = oneFile(`bibliography-${name}`, 'a.bib', text)
  return name === 'doubling-strings' ? quick(input) : input
})
