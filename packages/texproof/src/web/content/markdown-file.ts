import { LRUCache } from 'lru-cache'

import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../papers/addresses.ts'
import { decodeText } from './decode-text.ts'
import { renderMarkdownApart } from './render-markdown-apart.ts'

const rendered = new LRUCache<string, string>({ maxSize: 32 * 1024 * 1024, sizeCalculation: (text) => 1 + text.length })

/** A Markdown file of a repository, as it is looked at. */
export interface MarkdownFile {
  readonly repository: Repository
  readonly refName: string
  /** Folder of the file in the tree, `''` for the top. */
  readonly folder: string
  readonly objectId: string
  readonly bytes: Uint8Array
}

/** Whether a file of this name is Markdown. */
export function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown)$/i.test(name)
}

/** A Markdown file as safe HTML, whose links and pictures lead into the same tree; null when it takes too long. */
export async function renderMarkdownFile(file: MarkdownFile): Promise<string | null> {
  const { repository, refName, folder, objectId, bytes } = file
  const prefix = (page: string): string => `${repositoryPath(repository)}/${page}/${encodePath(refName)}/`
  const place = {
    folder: encodePath(folder),
    blobPrefix: prefix('blob'),
    rawPrefix: prefix('raw'),
    isBelowHeading: true,
  }
  const key = [objectId, place.folder, place.blobPrefix].join('\0')
  const body = rendered.get(key) ?? (await renderMarkdownApart(decodeText(bytes), place))
  if (body !== null) rendered.set(key, body)
  return body
}
