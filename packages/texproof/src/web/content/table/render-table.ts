import { valueTable } from './value-table.ts'
import { decodeText } from '../decode-text.ts'
import { readTable } from './read-table.ts'

/** A file of values, as it is stored. */
export interface TableSource {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file of values as a table in HTML; null when the file is not what its name says. Runs on a thread. */
export async function renderTable({ name, bytes }: TableSource): Promise<string | null> {
  const table = readTable(name, decodeText(bytes))
  return table === null ? null : String(await valueTable(table))
}
