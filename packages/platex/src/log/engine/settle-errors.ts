/** Merges the errors of a run that TeX reports more than once. */

import type { ErrorInLog } from './read-error.ts'
import type { FilePosition } from './file-stack.ts'

/** An error with the file that was open when it was printed. */
export interface SpokenError {
  readonly error: ErrorInLog
  readonly position: FilePosition
}

interface Run {
  readonly lines: readonly string[]
  readonly rootFile: string
}

/**
 * Merges the emergency stop into the missing file or the unended text that caused it, drops the closing line of a
 * fatal run, and adds an error if there is no PDF and TeX reported none.
 */
export function settleErrors(spoken: readonly SpokenError[], run: Run): readonly SpokenError[] {
  const settled: SpokenError[] = []
  for (const next of spoken) {
    const previous = settled[settled.length - 1]
    if (isEmergencyStop(next.error)) {
      if (previous !== undefined && isCauseOfStop(previous.error, next.error))
        settled[settled.length - 1] = withPlaceOf(previous, next)
      else settled.push({ ...next, error: { ...next.error, message: stopMessage(next.error) } })
    } else settled.push(next)
  }
  const errors = settled.filter(
    ({ error }) => !isClosingSentence(error) || settled.every((other) => isClosingSentence(other.error)),
  )
  return [...errors, ...unspoken(errors, run)]
}

function isEmergencyStop(error: ErrorInLog): boolean {
  return error.message.startsWith('Emergency stop.')
}

function isClosingSentence(error: ErrorInLog): boolean {
  return error.message.startsWith('==> Fatal error occurred')
}

/** LaTeX asks for another name of a missing file without a place; a missing picture on another line does not stop TeX. */
function isCauseOfStop({ message, contextLine }: ErrorInLog, stop: ErrorInLog): boolean {
  if (/File [`'].*' not found|[Cc]an't find file/.test(message)) {
    return contextLine === null || contextLine === stop.contextLine || isStopForFile(stop)
  }
  return /^(?:File ended while scanning|Incomplete \\|(?:Fatal|Critical) )/.test(message)
}

/** A stop without a line that gives a missing file as its reason. */
function isStopForFile(stop: ErrorInLog): boolean {
  return stop.contextLine === null && stop.context.some((line) => line.endsWith(', file error in nonstop mode)'))
}

/** The error of a missing file has no line; the stop that follows has it. */
function withPlaceOf({ error, position }: SpokenError, { error: stop }: SpokenError): SpokenError {
  if (error.stated !== null || error.contextLine !== null) return { error, position }
  const { stated, contextLine, lineBefore } = stop
  return {
    position,
    error: { ...error, stated, contextLine, lineBefore, context: [...error.context, ...stop.context] },
  }
}

function stopMessage(error: ErrorInLog): string {
  const reason = error.context.findLast((line) => line.startsWith('*** ('))?.slice(5, -1)
  return reason === undefined ? error.message : `Emergency stop: ${reason}`
}

/** Failures without an error of TeX: more than 100 errors, and a document without pages. */
function unspoken(errors: readonly SpokenError[], { lines, rootFile }: Run): readonly SpokenError[] {
  const tail = lines.slice(-400)
  const tooMany = tail.find((line) => /^\(That makes 100 errors; please try again\.\)$/.test(line))
  if (tooMany !== undefined) return [plainError(tooMany.slice(1, -1), rootFile, errors[errors.length - 1])]
  const hasPages = !tail.some((line) =>
    /^(?:No pages of output\.|warning {2}\(pdf backend\): no pages of output\.)$/.test(line),
  )
  return hasPages || errors.length > 0 ? [] : [plainError('No pages of output.', rootFile)]
}

function plainError(message: string, rootFile: string, last?: SpokenError): SpokenError {
  const nowhere = { top: null, userFile: rootFile, loaded: null, lastClosed: null, userFiles: [] }
  const error: ErrorInLog = {
    message,
    stated: last?.error.stated ?? null,
    contextLine: last?.error.contextLine ?? null,
    lineBefore: '',
    inner: null,
    context: [],
    runaway: '',
    next: 0,
  }
  return { error, position: last?.position ?? nowhere }
}
