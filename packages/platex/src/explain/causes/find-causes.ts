/**
 * Which errors only follow from others.
 *
 * After an error TeX continues and reports what it then misreads. These follow-up errors disappear once the first error
 * is fixed, so authors should not start with them. Errors are linked only if real documents showed that they disappear;
 * in doubt an error has no cause.
 *
 * `links.ts` lists what connects an error with an earlier one, `find-later-cause.ts` with a later one. Each subject (tables,
 * formulas, fonts …) has a file with its links.
 */
import type { LatexError } from '../../base/types.ts'
import { isNamelessDefinition } from './definitions.ts'
import { findLaterCause } from './find-later-cause.ts'
import { findEnclosingFormulas } from './formulas.ts'
import { isLinked } from './links.ts'
import { isOfSameNote, isUnendedListing, isVerbInArgument } from './listings.ts'
import { isRecoveryAfter } from './recovery.ts'
import type { ReadText } from './types.ts'

/**
 * For each error the index of its cause, or null. A cause has no cause itself.
 *
 * Compares every pair of errors: callers bound their number.
 */
export function findCauses(errors: readonly LatexError[], readText: ReadText): readonly (number | null)[] {
  const causes = errors.map((error, at) => findSameNote(errors, error, at) ?? findLaterCause(errors, error, at))
  const formulas = findEnclosingFormulas(errors)
  for (const [at, error] of errors.entries()) {
    causes[at] ??= formulas[at] ?? null
    const isFinal = causes[at] !== null || (causes.includes(at) && isFirstMistake(error))
    if (!isFinal) causes[at] = findEarlierCause(errors, causes, { at, readText }) ?? findVerb(errors, causes, at)
  }
  return causes.map((cause, at) => {
    const root = findRoot(causes, cause)
    return root === at ? null : root
  })
}

/** Of errors about one mistake, which was found in the source, the first one is the cause of the others. */
function findSameNote(errors: readonly LatexError[], error: LatexError, at: number): number | null {
  return indexOrNull(errors.slice(0, at).findIndex((earlier) => isOfSameNote(error, earlier)))
}

/** TeX reports these mistakes after their follow-up errors: what comes before them does not explain them. */
function isFirstMistake(error: LatexError): boolean {
  return isNamelessDefinition(error) || isUnendedListing(error)
}

/**
 * The last earlier error that explains this one. An error that only follows from another counts if this one is part of its
 * recovery: then both have the same cause.
 */
function findEarlierCause(
  errors: readonly LatexError[],
  causes: readonly (number | null)[],
  { at, readText }: { readonly at: number; readonly readText: ReadText },
): number | null {
  const error = errors[at]
  if (error === undefined) return null
  const found = errors.slice(0, at).findLastIndex((candidate, index) => {
    return causes[index] === null ? isLinked(error, candidate, readText) : isRecoveryAfter(error, candidate)
  })
  return indexOrNull(found)
}

/** After a \verb in a heading or caption, TeX misreads the line that ends the argument for it: all its errors follow. */
function findVerb(errors: readonly LatexError[], causes: readonly (number | null)[], at: number): number | null {
  const error = errors[at]
  if (error === undefined || error.line === null) return null
  const onLine = errors.slice(0, at).findLastIndex(({ file, line }) => file === error.file && line === error.line)
  const cause = onLine === -1 ? null : findRoot(causes, causes[onLine] ?? null)
  const found = cause === null ? undefined : errors[cause]
  return found !== undefined && isVerbInArgument(found) && found.line !== error.line ? cause : null
}

/** The cause of the cause, and so on: the error that has none. */
function findRoot(causes: readonly (number | null)[], cause: number | null): number | null {
  const passed: number[] = []
  let root = cause
  for (let next = root; next !== null; next = causes[next] ?? null) {
    // Each of several errors can be the cause of the next: the first one represents them.
    if (passed.includes(next)) return Math.min(...passed.slice(passed.indexOf(next)))
    passed.push(next)
    root = next
  }
  return root
}

function indexOrNull(index: number): number | null {
  return index === -1 ? null : index
}
