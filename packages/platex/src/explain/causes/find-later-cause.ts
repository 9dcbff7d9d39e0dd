/** Causes that TeX reports after their follow-up errors, mostly because it detects them only where something ends. */
import type { LatexError } from '../../base/types.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { hasNote, isQuantity } from '../rules/shared.ts'
import { FRAGILE_NOTE } from '../mistake-notes.ts'
import { isNamelessDefinition, isOfDefinition } from './definitions.ts'
import {
  isEndOfGroup,
  isEndWithoutBeginning,
  isHiddenEnd,
  isInOpenFloat,
  isInOpenList,
  isSwapped,
  isUnendedFormula,
  isUnendedPicture,
  isUnmatched,
  isUnmatchedAgain,
  isWithoutEnd,
} from './environments.ts'
import { isOfMissingFont } from './fonts.ts'
import { isInSameFormula } from './formulas.ts'
import { isInSameFrame, isUnendedListing, isVerbInArgument } from './listings.ts'
import { isLonelyItem, isMissingItem } from './lists.ts'
import { isAmpersand } from './pictures.ts'
import { isBefore, isSoonAfter, readReportedLine } from './places.ts'
import { isAtEndOfOpen, RECOVERY } from './recovery.ts'
import { isCellAtEnd } from './tables.ts'

/** Maximum distance from an error to a later one that is its cause, in errors. */
const MAX_LATER = 11

/** A kind of cause that TeX reports late. `distance`: how many errors are between the two. */
interface LaterCause {
  readonly applies: (error: LatexError, cause: LatexError) => boolean
  readonly follows: (error: LatexError, cause: LatexError, distance: number) => boolean
}

/** The order counts: only the first kind that applies to two errors decides. Both are in one file. */
const LATER_CAUSES: readonly LaterCause[] = [
  {
    applies: isInSameFrame,
    // Errors with the note are about the same mistake, so the first of them is the cause.
    follows: (error) => !hasNote(error, FRAGILE_NOTE),
  },
  {
    applies: (_, cause) => isNamelessDefinition(cause),
    follows: (error, cause) => error.line === cause.line && isOfDefinition(error),
  },
  {
    applies: (_, cause) => isUnendedListing(cause),
    // TeX reads the listing up to the end of the file, but its line is the line of the \begin.
    follows: (error, cause) => (cause.line ?? Infinity) <= (error.line ?? 0) && RECOVERY.test(error.message),
  },
  {
    // physics reads the unit of a quantity as a formula, and the unit itself fails later.
    applies: (_, cause) => cause.message.endsWith(': \\ERROR') && isQuantity(cause.context ?? ''),
    follows: (error, cause) => error.line === cause.line && RECOVERY.test(error.message),
  },
  {
    applies: (_, cause) => isAmpersand(cause),
    follows: (error, cause) =>
      error.message.includes('\\pgf@matrix@') && readReportedLine(error) === readReportedLine(cause),
  },
  {
    // TeX is in another mode than the \end{…} expects, because the box or formula before it is still open.
    applies: (error) => error.message.startsWith('Improper \\prevdepth'),
    follows: (_, cause) => isUnmatched(cause) || isWithoutEnd(cause) || isUnendedPicture(cause),
  },
  {
    applies: (error, cause) => error.message.startsWith('Missing $') && isUnendedFormula(cause),
    follows: (error, cause) => error.line === readReportedLine(cause) || isCutBy(error, cause),
  },
  {
    // hyperref reads a heading with a "#" for its bookmark before LaTeX reads it.
    applies: (error) => error.message.includes('\\@@BOOKMARK'),
    follows: (_, cause) => cause.message.startsWith('Illegal parameter number'),
  },
  {
    // Packages for subfigures define the same commands, and check for each other afterwards.
    applies: (_, cause) => cause.message.includes("can't be used in cooperation"),
    follows: (error) => /^LaTeX Error: Command \\(?:[cl]@)?sub\w+ already defined/.test(error.message),
  },
  {
    applies: (_, cause) => isVerbInArgument(cause),
    follows: (error, cause) => error.line === cause.line && RECOVERY.test(error.message),
  },
  {
    // An equation number inside \left … cannot end the formula.
    applies: (_, cause) => cause.message.startsWith('Missing \\right.'),
    follows: (error, cause) => error.line === cause.line && error.message.includes('`\\eqno'),
  },
  {
    applies: (_, cause) => cause.message.startsWith('Extra \\right.'),
    follows: (error, cause) => isInSameFormula(error, cause),
  },
  {
    // Of two overlapping environments both ends are wrong, and the first one is the cause.
    applies: (error, cause) => isUnmatched(cause) && isUnmatchedAgain(error, cause) && !isSwapped(error, cause),
    follows: () => true,
  },
  { applies: (error, cause) => isUnmatched(cause) && isCellAtEnd(error, cause), follows: () => true },
  {
    applies: isLonelyItem,
    follows: (error, cause) => isEndWithoutBeginning(cause) && isBefore(cause, error),
  },
  {
    // The mistake was found in a line above the one where TeX stopped.
    applies: (error, cause) => isUnmatched(cause) && error.line === readReportedLine(cause) && isBefore(cause, error),
    follows: isMissingItem,
  },
  {
    applies: (_, cause) => isEndWithoutBeginning(cause),
    follows: (error, cause, distance) => distance < 3 && error.line === cause.line && isEndOfGroup(error),
  },
  { applies: isHiddenEnd, follows: () => true },
  {
    applies: (error) => error.message.startsWith('Extra }, or forgotten \\endgroup'),
    follows: (_, cause, distance) => distance === 0 && isUnmatched(cause),
  },
]

/** A formula without its \end{…} is cut by the next blank line. */
function isCutBy(error: LatexError, cause: LatexError): boolean {
  return codeOf(error) === 'blank-line-in-math' && isSoonAfter(error, cause)
}

/** The index of the first later error that explains the one at this index; null if there is none. */
export function findLaterCause(errors: readonly LatexError[], error: LatexError, at: number): number | null {
  if (error.source !== 'latex') return null
  const later = errors.slice(at + 1, at + 1 + MAX_LATER)
  const found = later.findIndex((candidate, distance) => isLaterCause(error, candidate, distance))
  return found === -1 ? null : at + 1 + found
}

function isLaterCause(error: LatexError, candidate: LatexError, distance: number): boolean {
  // A font is not in a file of the project, and an open environment reaches into other files.
  if (isOfMissingFont(error, candidate) || isAtEndOfOpen(error, candidate)) return true
  if (isInOpenFloat(error, candidate) || isInOpenList(error, candidate)) return true
  if (candidate.file !== error.file || candidate.source !== 'latex') return false
  const kind = LATER_CAUSES.find(({ applies }) => applies(error, candidate))
  return kind !== undefined && kind.follows(error, candidate, distance)
}
