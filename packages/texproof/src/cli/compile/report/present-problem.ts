import type { LatexError, LatexWarning } from '@texproof/platex'

import { countFollowers, type ErrorGroup } from '../../../domain/group-by-cause.ts'

interface PresentOptions {
  readonly readLine: (file: string, line: number) => string | null
  readonly explain: boolean
}

/**
 * An error for a terminal; the errors that follow from it are shown with `--explain`.
 *
 * ```text
 * ✗ sections/intro.tex:31:10  Undefined control sequence: \foo
 *     31 │ We write \foo as the depth-averaged velocity
 *        │          ^^^^
 *     \foo is not defined.
 *     → Define it with \newcommand, or load the package that provides it.
 *     and 2 errors that follow from it
 * ```
 */
export function presentErrorGroup(group: ErrorGroup, options: PresentOptions): string {
  const count = countFollowers(group)
  const head = presentProblem(group.error, options)
  if (count === null) return head
  const followers = options.explain ? group.followers.map((error) => presentProblem(error, options)) : []
  return [head, `    ${count}`, ...followers].join('\n')
}

/** A problem for a terminal: position and message, for an error the source line, then explanation and remedy. */
export function presentProblem(problem: LatexError | LatexWarning, options: PresentOptions): string {
  const { file, line, message } = problem
  const sign = problem.type === 'error' ? '✗' : '⚠'
  const source = file !== null && line !== null ? options.readLine(file, line) : null
  const span = source === null ? null : findSpan(source, problem)
  const place = [file, line, span === null ? null : span.start + 1].filter((part) => part !== null).join(':')
  const head = `${sign} ${place === '' ? '' : `${place}  `}${message}`
  const explanation = presentExplanation(problem)
  if (problem.type === 'warning') return [head, ...explanation].join('\n')
  const excerpt = source === null || line === null ? [] : presentExcerpt(source, line, span)
  const context =
    options.explain && problem.context !== null ? problem.context.split('\n').map((row) => `    ${row}`) : []
  return [head, ...excerpt, ...explanation, ...context].join('\n')
}

function presentExplanation({ message, summary, remedy, package: missing }: LatexError | LatexWarning): string[] {
  const command = missing?.command ?? null
  return [
    ...(summary === undefined || summary === message ? [] : [`    ${summary}`]),
    ...(remedy === undefined ? [] : [`    → ${remedy}`]),
    // A service may send the command separately from the remedy.
    ...(command === null || remedy?.includes(command) === true ? [] : [`    → ${command}`]),
  ]
}

interface Span {
  readonly start: number
  readonly length: number
}

/** The position in the line: the column, otherwise the last macro or quoted name of the message that occurs there. */
function findSpan(source: string, problem: LatexError | LatexWarning): Span | null {
  const names = [...problem.message.matchAll(/\\[A-Za-z@]+|[`'"]([^`'"]+)['"]/g)].map((match) => match[1] ?? match[0])
  if (problem.type === 'error' && problem.column !== undefined) {
    const start = problem.column - 1
    const name = names.findLast((candidate) => source.startsWith(candidate, start))
    return { start, length: name?.length ?? 1 }
  }
  for (const name of names.toReversed()) {
    const start = name.startsWith('\\') ? findMacro(source, name) : findArgument(source, name)
    if (start >= 0) return { start, length: name.length }
  }
  return null
}

/** Where the line has the macro; -1 if it has none, or only longer ones. */
function findMacro(source: string, name: string): number {
  const isLonger = (at: number): boolean => /^[A-Za-z@]/.test(source.slice(at + name.length))
  let start = source.indexOf(name)
  while (start >= 0 && isLonger(start)) start = source.indexOf(name, start + 1)
  return start
}

/** Where braces contain the name, alone or in a list: elsewhere it may be a word of the text. -1 without such braces. */
function findArgument(source: string, name: string): number {
  for (const { 0: braces, index } of source.matchAll(/\{[^{}]*\}/g)) {
    let start = index + 1
    for (const item of braces.slice(1, -1).split(',')) {
      if (item.trim() === name) return start + item.indexOf(name)
      start += item.length + 1
    }
  }
  return -1
}

const maxSourceWidth = 160

function presentExcerpt(source: string, line: number, span: Span | null): string[] {
  const shown = source.replaceAll('\t', ' ').slice(0, maxSourceWidth)
  const number = String(line).padStart(6)
  const carets =
    span === null || span.start >= maxSourceWidth
      ? []
      : [`       │ ${' '.repeat(span.start)}${'^'.repeat(span.length)}`]
  return [`${number} │ ${shown}`, ...carets]
}
