import type { Parsers } from '../../../base/open-parsers.ts'
import { createOutcomeCache } from '../../../base/outcome-cache.ts'
import { defineTask } from '../../../base/thread-task.ts'
import { markdownPlace, type MarkdownFile } from '../markdown/markdown-file.ts'
import type { renderNotebook } from './render-notebook.ts'

/** Larger notebooks are shown raw. */
export const MAX_NOTEBOOK_BYTES = 4 * 1024 * 1024

const RENDER = defineTask<typeof renderNotebook>(import.meta.resolve('./render-notebook.ts'), 'renderNotebook')

const notebooks = createOutcomeCache<string | null>({
  maxSize: 32 * 1024 * 1024,
  sizeOf: (notebook) => notebook?.length ?? 0,
})

/** Whether a file of this name is a Jupyter notebook. */
export function isNotebook(name: string): boolean {
  return /\.ipynb$/i.test(name)
}

/** A notebook of a repository as safe HTML; null if the file is not a notebook, or cannot be rendered. */
export async function findNotebook(parsers: Parsers, file: MarkdownFile): Promise<string | null> {
  const place = markdownPlace(file)
  const key = [file.objectId, place.folder, place.blobPrefix].join('\0')
  const outcome = await notebooks.find(key, () =>
    parsers.run(RENDER, { bytes: file.bytes, place }, { ownerId: file.repository.owner.id }),
  )
  return outcome.kind === 'done' ? outcome.value : null
}
