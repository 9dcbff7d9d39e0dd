import type { Parsers } from '../../../base/open-parsers.ts'
import { createOutcomeCache } from '../../../base/outcome-cache.ts'
import { defineTask } from '../../../base/thread-task.ts'
import type { renderBibliography } from './render-bibliography.ts'

const MODULE = import.meta.resolve('./render-bibliography.ts')
const RENDER = defineTask<typeof renderBibliography>(MODULE, 'renderBibliography')

const bibliographies = createOutcomeCache<string>({ maxSize: 16 * 1024 * 1024, sizeOf: (list) => list.length })

/** Whether a file of this name contains bibliography entries. */
export function isBibliography(path: string): boolean {
  return /\.bib$/i.test(path)
}

/** A .bib file of a repository as an HTML list; null if it takes too long to read. */
export async function findBibliography(
  parsers: Parsers,
  { objectId, bytes, ownerId }: { readonly objectId: string; readonly bytes: Uint8Array; readonly ownerId: string },
): Promise<string | null> {
  const outcome = await bibliographies.find(objectId, () => parsers.run(RENDER, bytes, { ownerId }))
  return outcome.kind === 'done' ? outcome.value : null
}
