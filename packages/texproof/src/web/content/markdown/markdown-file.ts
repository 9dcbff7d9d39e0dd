import type { Parsers } from '../../../base/open-parsers.ts'
import { createOutcomeCache } from '../../../base/outcome-cache.ts'
import { defineTask } from '../../../base/thread-task.ts'
import type { Repository } from '../../../domain/types.ts'
import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import { decodeText } from '../decode-text.ts'
import type { MarkdownPlace, renderMarkdown } from './render-markdown.ts'

/** Renders Markdown on a thread. */
export const RENDER_MARKDOWN = defineTask<typeof renderMarkdown>(
  import.meta.resolve('./render-markdown.ts'),
  'renderMarkdown',
)

const rendered = createOutcomeCache<string>({ maxSize: 32 * 1024 * 1024, sizeOf: (text) => text.length })

/** A Markdown file of a repository at a ref. */
export interface MarkdownFile {
  readonly repository: Repository
  readonly refName: string
  /** Folder of the file in the tree, `''` for the root folder. */
  readonly folder: string
  readonly objectId: string
  readonly bytes: Uint8Array
}

/** Whether a file of this name is Markdown. */
export function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name)
}

/** A Markdown file as safe HTML, with links and images resolved in the same tree; null if it cannot be rendered. */
export async function renderMarkdownFile(parsers: Parsers, file: MarkdownFile): Promise<string | null> {
  const { repository, objectId, bytes } = file
  const place = markdownPlace(file)
  const key = [objectId, place.folder, place.blobPrefix].join('\0')
  const outcome = await rendered.find(key, () =>
    parsers.run(RENDER_MARKDOWN, { source: decodeText(bytes), place }, { ownerId: repository.owner.id }),
  )
  return outcome.kind === 'done' ? outcome.value : null
}

/** Base of links and images in a file: the same tree. */
export function markdownPlace({ repository, refName, folder }: MarkdownFile): MarkdownPlace {
  const prefix = (page: string): string => `${repositoryPath(repository)}/${page}/${encodePath(refName)}/`
  return {
    folder: encodePath(folder),
    blobPrefix: prefix('blob'),
    rawPrefix: prefix('raw'),
    outerBase: `${repositoryPath(repository)}/blob/${encodeURIComponent(refName)}/`,
    isBelowHeading: true,
  }
}
