/** Verbatim text where TeX cannot read it: in arguments, and in frames of beamer. */
import type { LatexError } from '../../base/types.ts'
import { BAD_NAME_NOTE, CUT_LUA_NOTE, FRAGILE_END_NOTE, FRAGILE_NOTE, OPEN_FRAME_NOTE } from '../mistake-notes.ts'
import { hasNote } from '../rules/shared.ts'
import { isOnSameLine, readReportedLine } from './places.ts'
import { RECOVERY } from './recovery.ts'

export function isVerbInArgument({ message }: LatexError): boolean {
  return message.startsWith('LaTeX Error: \\verb illegal in')
}

/** In a frame of beamer that is not fragile, the rest of the listing is read as text. */
export function isUnendedListing({ message }: LatexError): boolean {
  return /^File ended while scanning use of \\(?:lst@|FV@|@xverbatim|@sverbatim)/.test(message)
}

/** beamer reads a frame as a whole, so TeX reports its end for everything in it. */
export function isInSameFrame(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !hasNote(cause, FRAGILE_NOTE)) return false
  return RECOVERY.test(error.message) && readReportedLine(error) === readReportedLine(cause)
}

/** A frame that is open where another one begins leaves a group open up to the end of the document. */
export function isAfterOpenFrame(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !hasNote(cause, OPEN_FRAME_NOTE)) return false
  return /\\begin\{(?:beamer@)?frame|no legal \\end found/.test(error.message) || RECOVERY.test(error.message)
}

/** Errors that TeX reports for one mistake in a frame, which was found in the source. */
export function isOfSameNote(error: LatexError, cause: LatexError): boolean {
  if (!isOnSameLine(error, cause)) return false
  return [FRAGILE_NOTE, FRAGILE_END_NOTE, OPEN_FRAME_NOTE, CUT_LUA_NOTE, BAD_NAME_NOTE].some(
    (note) => hasNote(error, note) && hasNote(cause, note),
  )
}
