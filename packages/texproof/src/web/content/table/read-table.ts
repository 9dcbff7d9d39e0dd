import { posix } from 'node:path'

import { parse } from 'csv-parse/sync'

/** Maximum number of rows; the raw file has the rest. */
const MAX_ROWS = 500
/** Maximum number of columns. */
const MAX_COLUMNS = 50

/** The part of a CSV or TSV file that is shown. */
export interface ValueTable {
  readonly rows: readonly (readonly string[])[]
  /** False if there are more rows or columns. */
  readonly isWhole: boolean
}

/** Whether a file of this name contains a table. */
export function isValueTable(name: string): boolean {
  return /\.(?:csv|tsv)$/i.test(name)
}

/** Reads values separated by commas, semicolons or tabs; null if the content does not match the file name. */
export function readTable(name: string, text: string): ValueTable | null {
  const isTabbed = posix.extname(name).toLowerCase() === '.tsv'
  // Semicolons separate values where the comma is the decimal sign.
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
    // Not a table: the page shows the text.
    return null
  }
}
