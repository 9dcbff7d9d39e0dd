import { posix } from 'node:path'

import { parse } from 'csv-parse/sync'

/** Rows shown; the rest is read raw. */
const MAX_ROWS = 500
/** Columns shown: more than that is no table for people. */
const MAX_COLUMNS = 50

/** What a file of values holds, as far as it is shown. */
export interface ValueTable {
  readonly rows: readonly (readonly string[])[]
  /** false when there are more rows or columns. */
  readonly isWhole: boolean
}

/** Whether a file of this name holds values in rows. */
export function isValueTable(name: string): boolean {
  return /\.(?:csv|tsv)$/i.test(name)
}

/** Reads values separated by commas, semicolons or tabs; null when the file is not what its name says. */
export function readTable(name: string, text: string): ValueTable | null {
  const isTabbed = posix.extname(name).toLowerCase() === '.tsv'
  // Where a comma is the decimal sign, values are parted by semicolons.
  const [head = ''] = text.split('\n', 1)
  const delimiter = isTabbed ? '\t' : head.includes(';') && !head.includes(',') ? ';' : ','
  try {
    const rows = parse(text, {
      delimiter,
      to: MAX_ROWS + 1,
      bom: true,
      relaxColumnCount: true,
      relaxQuotes: true,
      skipEmptyLines: true,
    }) as unknown as readonly (readonly string[])[]
    const isWhole = rows.length <= MAX_ROWS && rows.every((row) => row.length <= MAX_COLUMNS)
    return { rows: rows.slice(0, MAX_ROWS).map((row) => row.slice(0, MAX_COLUMNS)), isWhole }
  } catch {
    // No table: the page shows the text.
    return null
  }
}
