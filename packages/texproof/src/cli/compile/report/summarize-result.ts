import type { CompileResult } from '@texproof/platex'
import { formatBytes } from '../../../domain/text/format-bytes.ts'

/** The last line: `✓ 14 pages  1.2 MB  3.9 s  (pdflatex ×3, bibtex)  3 warnings  → main.pdf`. */
export function summarizeResult(
  result: CompileResult,
  options: { readonly durationMs: number; readonly output: string | null },
): string {
  const seconds = `${(options.durationMs / 1000).toFixed(1)} s`
  const problems = [count(result.errors.length, 'error'), count(result.warnings.length, 'warning')].filter(
    (part) => part !== null,
  )
  if (result.pdf === null) {
    const found = problems.length === 0 ? '' : ` ${problems.join(', ')}`
    return `✗ no PDF.${found} in ${seconds}.   Full log: --log -     Explain: --explain`
  }
  const pages = result.pages === undefined ? [] : [result.pages === 1 ? '1 page' : `${result.pages} pages`]
  const notes = problems.length === 0 ? [] : [problems.join(', ')]
  const target = options.output === null ? [] : [`→ ${options.output}`]
  const parts = [
    ...pages,
    formatBytes(result.pdf.byteLength),
    seconds,
    `(${listPrograms(result)})`,
    ...notes,
    ...target,
  ]
  return `${result.errors.length === 0 ? '✓' : '⚠'} ${parts.join('  ')}`
}

function listPrograms({ logs }: CompileResult): string {
  const counts = new Map<string, number>()
  for (const { engine } of logs) counts.set(engine, (counts.get(engine) ?? 0) + 1)
  return [...counts].map(([program, runs]) => (runs === 1 ? program : `${program} ×${runs}`)).join(', ')
}

function count(number: number, noun: string): string | null {
  if (number === 0) return null
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`
}
