/**
 * Which errors only follow from others.
 *
 * After an error TeX goes on as well as it can, and complains about what it then misreads. Those complaints vanish once
 * the first error is fixed, so people should not look at them first. What is linked here has been seen to vanish; where
 * there is doubt an error stands for itself.
 */
import type { LatexError } from '../types.ts'

/** What TeX says while it recovers, often with internal names. */
const RECOVERY =
  /^(?:Missing (?:\}|\$|\\endcsname|\\cr|\\endgroup|number|control sequence)|Extra \}|Too many \}'s|Argument of \\\S+ has an extra \}|Paragraph ended before |Illegal unit of measure|Illegal parameter number|You can't use |Misplaced |Use of \\\S+ doesn't match|LaTeX Error: (?:Something's wrong|Bad math|Environment \\\S+ undefined))/

/** Names with an "@" are never written by authors. */
const INTERNAL =
  /^(?:Undefined control sequence: |Argument of |Paragraph ended before |File ended while scanning use of )\\[A-Za-z]*@/

/**
 * For each error the index of the error that it follows from; null for one that stands for itself. A cause comes before
 * what follows from it, and follows from nothing itself.
 */
export function findCauses(errors: readonly LatexError[]): readonly (number | null)[] {
  const causes: (number | null)[] = []
  for (const [at, error] of errors.entries()) {
    const earlier = errors
      .slice(0, at)
      .flatMap((candidate, index) => (causes[index] === null ? [{ candidate, index }] : []))
    const found = earlier.findLast(({ candidate }) => follows(error, candidate))
    causes.push(found?.index ?? null)
  }
  return causes
}

function follows(error: LatexError, cause: LatexError): boolean {
  if (error.source !== 'latex' || cause.source !== 'latex') return false
  return (
    isEndOfUndefinedEnvironment(error, cause) ||
    isRepeatedPreamble(error, cause) ||
    (error.file === cause.file && (isRecovery(error, cause) || INTERNAL.test(error.message)))
  )
}

/** TeX ignores an unknown \begin{…}, so its \end{…} seems to end something else. */
function isEndOfUndefinedEnvironment(error: LatexError, cause: LatexError): boolean {
  const undefinedName = /Environment (\S+) undefined/.exec(cause.message)?.[1]
  return undefinedName !== undefined && error.message.includes(`ended by \\end{${undefinedName}}`)
}

/** Without \begin{document} every paragraph is an error, and the end of the document as well. */
function isRepeatedPreamble(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('Missing \\begin{document}')) return false
  return /Missing \\begin\{document\}|^I can't find file `.*\.aux'/.test(error.message)
}

/** On the same line, or where the message says nothing but that TeX is confused. */
function isRecovery(error: LatexError, cause: LatexError): boolean {
  return error.line !== null && error.line === cause.line && RECOVERY.test(error.message)
}
