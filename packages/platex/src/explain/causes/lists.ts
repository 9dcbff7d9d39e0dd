/** Lists that have lost their items, and algorithms, whose commands are items of a list. */
import type { LatexError } from '../../base/types.ts'
import { findCommandOutside, isAlgorithmCommand } from '../algorithm-commands.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { isSoonAfter } from './places.ts'
import type { Link } from './types.ts'

/** The options of a list continue on the next line, where TeX stopped. */
const LIST_OPTIONS = /^l\.\d+ .*\\begin\{(?:enumerate|itemize|description)\}\[[^\]]*$/m

export const LIST_LINKS: readonly Link[] = [
  isInListWithOptions,
  isInAlgorithm,
  isOutsideOfAlgorithm,
  isOfSameList,
  isAfterOpenLabel,
]

/** Without enumitem, `[label=…]` is a label of enumerate, and its rest is text before the first `\item`. */
function isInListWithOptions(error: LatexError, cause: LatexError): boolean {
  if (!isMissingItem(error) || !LIST_OPTIONS.test(cause.context ?? '')) return false
  return error.file === cause.file && codeOf(cause) === 'missing-number'
}

/** Without a command of algorithmic, which begins with \item, the text after it belongs to no item. */
function isInAlgorithm(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !isSoonAfter(error, cause)) return false
  if (isUndefinedOfAlgorithm(cause)) return isMissingItem(error) || error.message.includes('Some blocks are not closed')
  return isMissingItem(error) && /^Undefined control sequence: \\[A-Z]{2,}$|invalid in math mode/.test(cause.message)
}

/** Without its environment, each command of an algorithm is an error. */
function isOutsideOfAlgorithm(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !isSoonAfter(error, cause)) return false
  if (/Environment algorithmic undefined/.test(cause.message)) return isUndefinedOfAlgorithm(error)
  return [error, cause].every(({ message, context }) => findCommandOutside(message, context ?? '') !== null)
}

function isUndefinedOfAlgorithm({ message }: LatexError): boolean {
  const command = /^Undefined control sequence: (\\\S+)$/.exec(message)?.[1] ?? ''
  return isAlgorithmCommand(command) || /^\\end(?:if|for|while|function|procedure|loop)$/i.test(command)
}

/** After an `\item[` without its bracket, the list has lost its items. */
function isAfterOpenLabel(error: LatexError, cause: LatexError): boolean {
  const isOpen = /^(?:Argument of \\@item |Paragraph ended before \\@readpoints)/.test(cause.message)
  if (error.file !== cause.file || !isOpen) return false
  return isMissingItem(error) || error.message.includes('ended by \\end{document}')
}

/** The next \item of a list without its \begin. */
function isOfSameList(error: LatexError, cause: LatexError): boolean {
  return error.file === cause.file && isLonelyItem(error) && isLonelyItem(cause) && isSoonAfter(error, cause)
}

/** An \item outside of a list. */
export function isLonelyItem({ message }: LatexError): boolean {
  return message.startsWith('LaTeX Error: Lonely \\item')
}

/** Text in a list, before its first \item. */
export function isMissingItem({ message }: LatexError): boolean {
  return message.includes('perhaps a missing \\item')
}
