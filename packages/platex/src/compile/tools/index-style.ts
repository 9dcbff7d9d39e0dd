/** Styles of makeindex that come with a project. */
import { latin1 } from '../canonical-digest.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** Styles have some hundred bytes. */
const MAX_STYLE_BYTES = 64 * 1024

/** An entry whose first byte, or the first one after the quote `"`, is part of a longer character. */
const NON_ASCII_ENTRY = /^\\indexentry[ \t]*\{"?[\x80-\xff]/m

/** Comments and values in quotes, which may contain the name of an attribute, even if they are not closed. */
const COMMENT_OR_TEXT = /%[^\n]*|"(?:[^"\\]|\\[^]?)*(?:"|$)/g

/**
 * Whether a style would break the index; `index`: what TeX wrote.
 *
 * makeindex sorts bytes and does not support UTF-8. A style with headings prints the first byte of the entries below each
 * heading. For an entry that begins with an accented letter, that is half a character, at which TeX stops. Without headings,
 * makeindex copies entries as they are.
 */
export async function hasBrokenHeadings(
  style: string,
  { workspace, index }: { readonly workspace: WorkspaceView; readonly index: Uint8Array },
): Promise<boolean> {
  if (!NON_ASCII_ENTRY.test(latin1(index))) return false
  return hasHeadings(await readStyle(style, workspace))
}

/** The command of the entries that makeindex accepts with a style; the last one counts. */
const KEYWORD = /^[ \t]*keyword[ \t]+"((?:[^"\\\n]|\\.){1,200})"/gm

/** False for the style of a glossary or a nomenclature, with which makeindex rejects the entries of an index. */
export async function isForIndex(style: string, workspace: WorkspaceView): Promise<boolean> {
  const keywords = [...(await readStyle(style, workspace)).matchAll(KEYWORD)]
  const last = keywords.at(-1)?.[1] ?? '\\\\indexentry'
  return last === '\\\\indexentry'
}

/** Empty if there is none. */
async function readStyle(style: string, workspace: WorkspaceView): Promise<string> {
  const ends = await workspace.readEnds(style, { headBytes: MAX_STYLE_BYTES, tailBytes: 0 })
  return ends === null ? '' : latin1(ends.head)
}

/** Any number but 0 means headings; the last one counts. */
function hasHeadings(style: string): boolean {
  const flags = [...style.replaceAll(COMMENT_OR_TEXT, '').matchAll(/\bheadings_flag\s+[+-]?(\d+)/gi)]
  return Number(flags.at(-1)?.[1] ?? 0) !== 0
}
