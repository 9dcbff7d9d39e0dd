import { findDocumentTitle } from '../../domain/text/document-title.ts'
import { scanTexSource } from '../../papers/detect/scan-tex-source.ts'
import { decodeText } from './decode-text.ts'

/** What one source file says about the title of the document it is part of. */
export interface TitleScan {
  readonly title: string | null
  /** Files that it includes, as written; empty once there is a title. */
  readonly includes: readonly string[]
}

/** Reads the title that a source states. An included file that is a document itself has a title of its own. Runs on a thread. */
export function readTitle({ bytes, isRoot }: { readonly bytes: Uint8Array; readonly isRoot: boolean }): TitleScan {
  const text = decodeText(bytes)
  const title = findDocumentTitle(text)
  if (title !== null && isRoot) return { title, includes: [] }
  const { documentClass, includes } = scanTexSource('', text)
  if (!isRoot && documentClass !== null) return { title: null, includes: [] }
  return { title, includes: title === null ? includes : [] }
}
