import { findDocumentTitle } from '../../domain/text/document-title.ts'
import { scanTexSource } from '../../papers/detect/scan-tex-source.ts'
import { decodeText } from './decode-text.ts'

/** The title found in one source file of a document. */
export interface TitleScan {
  readonly title: string | null
  /** Files that it includes, as written; empty once there is a title. */
  readonly includes: readonly string[]
}

/** Reads the title stated in a source. Included files that are documents themselves are skipped. Runs on a thread. */
export function readTitle({ bytes, isRoot }: { readonly bytes: Uint8Array; readonly isRoot: boolean }): TitleScan {
  const text = decodeText(bytes)
  const title = findDocumentTitle(text)
  if (title !== null && isRoot) return { title, includes: [] }
  const { documentClass, includes } = scanTexSource('', text)
  if (!isRoot && documentClass !== null) return { title: null, includes: [] }
  return { title, includes: title === null ? includes : [] }
}
