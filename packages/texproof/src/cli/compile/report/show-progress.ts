import type { CompileProgress } from '@texproof/platex/project'

import { say } from '../../say.ts'

/** Progress display of a running compile. */
export interface ProgressView {
  readonly onProgress: (progress: CompileProgress) => void
  /** Removes temporary output. */
  end(): void
}

const barWidth = 16
const redrawMs = 100

/**
 * On a terminal, one line that is rewritten, with a bar relative to the pages of the previous pass; elsewhere, one line
 * per pass.
 */
export function showProgress(
  title: string,
  options: { readonly quiet: boolean; readonly explain: boolean; readonly verbose: boolean },
): ProgressView {
  if (options.quiet) return { onProgress: () => {}, end: () => {} }
  const isDrawn = process.stderr.isTTY && !options.verbose && !options.explain
  return isDrawn ? showLine(title) : showPasses(title, options.explain || options.verbose)
}

function showPasses(title: string, explain: boolean): ProgressView {
  const reasons = new Map<string, string>()
  const onProgress = (progress: CompileProgress): void => {
    if (progress.kind === 'skipped' && explain) say(`${title}  – ${progress.program}  skipped  (${progress.reason})`)
    if (progress.kind === 'pass-started') reasons.set(keyOf(progress), progress.reason)
    if (progress.kind !== 'pass-ended') return
    const reason = explain ? `  (${reasons.get(keyOf(progress)) ?? ''})` : ''
    say(`${title}  ${progress.passNumber} ${progress.program}  ${seconds(progress.durationMs)}${reason}`)
  }
  return { onProgress, end: () => {} }
}

/** Tools have the number of the pass before them. */
function keyOf({ passNumber, program }: { readonly passNumber: number; readonly program: string }): string {
  return `${passNumber} ${program}`
}

function showLine(title: string): ProgressView {
  const startedAt = performance.now()
  let program = ''
  let passNumber = 0
  let page = 0
  let lastPages = 0
  const draw = (): void => {
    const bar = lastPages === 0 ? '' : `  ${drawBar(page / lastPages)}`
    const pages = page === 0 ? '' : `  page ${page}`
    process.stderr.write(
      `\r\u001b[2K${title}  ${program} ${passNumber}${bar}${pages}  ${seconds(performance.now() - startedAt)}`,
    )
  }
  const timer = setInterval(draw, redrawMs)
  const onProgress = (progress: CompileProgress): void => {
    if (progress.kind === 'page') page = progress.page
    if (progress.kind !== 'pass-started') return
    if (page > 0) lastPages = page
    page = 0
    program = progress.program
    passNumber = progress.passNumber
  }
  return {
    onProgress,
    end: () => {
      clearInterval(timer)
      process.stderr.write('\r\u001b[2K')
    },
  }
}

function drawBar(share: number): string {
  const full = Math.min(barWidth, Math.round(share * barWidth))
  return '━'.repeat(full) + '─'.repeat(barWidth - full)
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}
