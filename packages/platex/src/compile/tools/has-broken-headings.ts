/**
 * Whether a style of makeindex would break the index.
 *
 * makeindex sorts bytes and knows no UTF-8. A style with headings prints the first byte of the entries below each heading: of
 * an entry that begins with an accented letter that is half a character, at which TeX stops. Without headings, makeindex
 * copies entries as they are.
 */
import { latin1 } from '../canonical-digest.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** Styles have some hundred bytes. */
const MAX_STYLE_BYTES = 64 * 1024

/** An entry whose first byte, or the first one after the quote `"`, is part of a longer character. */
const NON_ASCII_ENTRY = /^\\indexentry[ \t]*\{"?[\x80-\xff]/m

/** Comments and values in quotes, which may contain the name of an attribute; also those that are not closed. */
const COMMENT_OR_TEXT = /%[^\n]*|"(?:[^"\\]|\\[^]?)*(?:"|$)/g

/** `index`: what TeX wrote. */
export async function hasBrokenHeadings(
  style: string,
  { workspace, index }: { readonly workspace: WorkspaceView; readonly index: Uint8Array },
): Promise<boolean> {
  if (!NON_ASCII_ENTRY.test(latin1(index))) return false
  const ends = await workspace.readEnds(style, { headBytes: MAX_STYLE_BYTES, tailBytes: 0 })
  return ends !== null && hasHeadings(latin1(ends.head))
}

/** Any number but 0 means headings; the last one counts. */
function hasHeadings(style: string): boolean {
  const flags = [...style.replaceAll(COMMENT_OR_TEXT, '').matchAll(/\bheadings_flag\s+[+-]?(\d+)/gi)]
  return Number(flags.at(-1)?.[1] ?? 0) !== 0
}
