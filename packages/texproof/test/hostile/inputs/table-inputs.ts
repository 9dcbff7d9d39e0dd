import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

const MB = 1024 * 1024 - 1

/** Malformed CSV and TSV files. */
const tables: Readonly<Record<string, readonly [path: string, text: string]>> = {
  commas: ['a.csv', ','.repeat(MB)],
  quotes: ['a.csv', '"'.repeat(MB)],
  'open-quote': ['a.csv', `"${'a,\n'.repeat(MB / 3 - 1)}`],
  newlines: ['a.csv', '\n'.repeat(MB)],
  semicolons: ['a.csv', ';'.repeat(MB)],
  tabs: ['a.tsv', '\t'.repeat(MB)],
  'short-rows': ['a.csv', 'a\n'.repeat(MB / 2)],
  'wide-rows': ['a.csv', `${'1,'.repeat(5_000)}\n`.repeat(100)],
  'growing-rows': ['a.csv', Array.from({ length: 1_400 }, (_, n) => ','.repeat(n)).join('\n')],
  'long-cell': ['a.csv', `a,${'b'.repeat(MB - 2)}`],
  spaces: ['a.csv', `a\n${' '.repeat(MB - 2)}`],
  digits: ['a.csv', `a\n${'1'.repeat(MB - 3)}x`],
  'carriage-returns': ['a.csv', '\r'.repeat(MB)],
  binary: ['a.csv', '\u0001,\u0002\n'.repeat(200_000)],
  entities: ['a.csv', '&<>,'.repeat(MB / 4)],
}

/** Tables of a megabyte. */
export const tableInputs: readonly HostileInput[] = Object.entries(tables).map(([name, [path, text]]) => {
  const input = oneFile(`table-${name}`, path, text)
  return name === 'commas' ? quick(input) : input
})
