/** Helpers of several kinds of rules. */
import type { LatexError, LatexWarning } from '../../base/types.ts'
import { readUpperLine } from '../read-upper-line.ts'
import type { Explanation } from '../types.ts'

/** Commands with "@", "_" or ":" belong to LaTeX and its packages: authors do not write or define them. */
export function isInternal(command: string | undefined): boolean {
  return command !== undefined && /[@_:]/.test(command)
}

export function endsUpperLine(diagnostic: LatexError | LatexWarning, pattern: RegExp): boolean {
  return diagnostic.type === 'error' && pattern.test(readUpperLine(diagnostic.context ?? '')?.trimEnd() ?? '')
}

/** The place of the error was found in the source, together with the mistake. */
export function hasNote(diagnostic: LatexError | LatexWarning, note: string): boolean {
  return diagnostic.type === 'error' && (diagnostic.context?.startsWith(note) ?? false)
}

export function doubledBackslash(command: string): Explanation {
  return { summary: `${command} has two backslashes.`, remedy: `Write ${command}{…} with one backslash.` }
}

/** Whether TeX stopped in a `\qty`. `context`: what it printed below the message. */
export function isQuantity(context: string): boolean {
  return /\\qty\b/.test(readUpperLine(context) ?? '')
}
