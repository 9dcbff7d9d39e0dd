import { oneLine } from '../../domain/text/one-line.ts'
import { unifyLines } from '../../domain/text/source-text.ts'

/** Maximum length of a first line in a list or a heading; the page of the commit shows the rest. */
const BEGINNING = /^[^]{0,160}/u

/** Browsers show them as boxes or not at all. */
const CONTROLS = /[^\P{Cc}\t\n]+/gu

/** The first line of a message for lists: bounded, never empty, and without control characters. */
export function commitSubject(message: string): string {
  const line = firstLine(message)
  const beginning = beginningOf(line)
  const shown = oneLine(beginning)
  if (shown === '') return 'no message'
  return beginning === line ? shown : `${shown} …`
}

/** The text below the heading of a commit: the whole message if the heading is cut, otherwise the rest. */
export function messageBody(message: string): string {
  const line = firstLine(message)
  const body = beginningOf(line) === line ? message.slice(line.length) : message
  return unifyLines(body).replaceAll(CONTROLS, ' ').trim()
}

function beginningOf(line: string): string {
  return BEGINNING.exec(line)?.[0] ?? ''
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}
