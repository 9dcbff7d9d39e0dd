import type { Parsers, TaskOutcome } from '../../../base/open-parsers.ts'
import { createOutcomeCache } from '../../../base/outcome-cache.ts'
import { defineTask } from '../../../base/thread-task.ts'
import { findLanguage } from './find-language.ts'
import type { renderSourcePart, SourcePart } from './source-part.ts'

/** Renders a part of a source on a thread. */
export const RENDER_SOURCE = defineTask<typeof renderSourcePart>(
  import.meta.resolve('./source-part.ts'),
  'renderSourcePart',
)

const parts = createOutcomeCache<SourcePart>({
  maxSize: 48 * 1024 * 1024,
  // Each line, and its row in the table that is kept with the part (`files/code-table.ts`).
  sizeOf: ({ lines }) => lines.reduce((sum, line) => sum + 90 + 2 * line.length, 0),
})

/** Larger files are not highlighted. */
export const MAX_HIGHLIGHTED_BYTES = 512 * 1024

/** A file of a repository, and the first line shown. */
export interface ShownFile {
  readonly path: string
  readonly objectId: string
  readonly bytes: Uint8Array
  readonly from: number
  readonly ownerId: string
}

/** A part of a source, highlighted if the language is known and rendering is quick; null when the host is too busy. */
export async function findSourcePart(parsers: Parsers, file: ShownFile): Promise<SourcePart | null> {
  const { path, objectId, bytes, from, ownerId } = file
  const find = (language: ReturnType<typeof findLanguage>): Promise<TaskOutcome<SourcePart>> =>
    parts.find(`${language ?? ''} ${objectId} ${from}`, () =>
      parsers.run(RENDER_SOURCE, { bytes, language, from }, { ownerId }),
    )
  const language = bytes.byteLength > MAX_HIGHLIGHTED_BYTES ? null : findLanguage(path)
  const outcome = await find(language)
  if (outcome.kind === 'done') return outcome.value
  if (outcome.kind === 'busy' || language === null) return null
  const plain = await find(null)
  return plain.kind === 'done' ? plain.value : null
}
