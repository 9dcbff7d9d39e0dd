import { findPaperTitle } from '../../domain/text/document-title.ts'
import { decodeText } from './decode-text.ts'

/** The title that a source states, or null. Runs on a thread. */
export function readTitle(bytes: Uint8Array): string | null {
  return findPaperTitle(decodeText(bytes))
}
