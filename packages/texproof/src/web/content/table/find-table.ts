import type { Parsers } from '../../../base/open-parsers.ts'
import { createOutcomeCache } from '../../../base/outcome-cache.ts'
import { defineTask } from '../../../base/thread-task.ts'
import type { renderTable } from './render-table.ts'

const RENDER = defineTask<typeof renderTable>(import.meta.resolve('./render-table.ts'), 'renderTable')

const tables = createOutcomeCache<string | null>({
  maxSize: 16 * 1024 * 1024,
  sizeOf: (table) => table?.length ?? 0,
})

/** A CSV or TSV file of a repository. */
export interface TableFile {
  readonly path: string
  readonly objectId: string
  readonly bytes: Uint8Array
  readonly ownerId: string
}

/** A CSV or TSV file as an HTML table; null if it is invalid or cannot be read. */
export async function findTable(
  parsers: Parsers,
  { path, objectId, bytes, ownerId }: TableFile,
): Promise<string | null> {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.slice(name.lastIndexOf('.'))
  const outcome = await tables.find(`${ending} ${objectId}`, () => parsers.run(RENDER, { name, bytes }, { ownerId }))
  return outcome.kind === 'done' ? outcome.value : null
}
