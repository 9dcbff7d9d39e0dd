import type { LatexError, LatexWarning } from '@texproof/platex'

/**
 * A problem for a terminal: place and message, under an error the line of source it is about, and what to do if known.
 *
 * ```text
 * ✗ sections/intro.tex:31:10  Undefined control sequence: \foo
 *      31 │ We write \foo as the depth-averaged velocity
 *         │          ^^^^
 * ```
 */
export function presentProblem(
  problem: LatexError | LatexWarning,
  options: { readonly readLine: (file: string, line: number) => string | null; readonly explain: boolean },
): string {
  const { file, line, message } = problem
  const sign = problem.type === 'error' ? '✗' : '⚠'
  const source = file !== null && line !== null ? options.readLine(file, line) : null
  const span = source === null ? null : findSpan(source, message)
  const place = [file, line, span === null ? null : span.start + 1].filter((part) => part !== null).join(':')
  const head = `${sign} ${place === '' ? '' : `${place}  `}${message}`
  const remedy = problem.remedy === undefined ? [] : [`    → ${problem.remedy}`]
  if (problem.type === 'warning') return [head, ...remedy].join('\n')
  const excerpt = source === null || line === null ? [] : presentExcerpt(source, line, span)
  const context =
    options.explain && problem.context !== null ? problem.context.split('\n').map((row) => `    ${row}`) : []
  return [head, ...excerpt, ...remedy, ...context].join('\n')
}

interface Span {
  readonly start: number
  readonly length: number
}

/** Where in the line the message points: the last of its macros or quoted words that stands there. */
function findSpan(source: string, message: string): Span | null {
  const names = [...message.matchAll(/\\[A-Za-z@]+|[`'"]([^`'"]+)['"]/g)].map((match) => match[1] ?? match[0])
  for (const name of names.toReversed()) {
    const start = source.indexOf(name)
    if (start >= 0) return { start, length: name.length }
  }
  return null
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
