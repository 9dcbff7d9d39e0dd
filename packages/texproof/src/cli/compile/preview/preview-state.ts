import type { LatexError, LatexWarning } from '@texproof/platex'

import type { CompileReporter, FinishedCompile } from '../report/reporter.ts'

export type PreviewStatus = 'building' | 'good' | 'warned' | 'flawed' | 'failed'

/** A problem with its source line. */
export interface ShownProblem {
  readonly problem: LatexError | LatexWarning
  readonly source: string | null
}

/** State shown by the preview. */
export interface PreviewState {
  /** The root file; empty until it is known. */
  readonly title: string
  readonly status: PreviewStatus
  /** Progress or outcome, for the user. */
  readonly summary: string
  readonly problems: readonly ShownProblem[]
  /** The newest successful PDF. */
  readonly pdf: Uint8Array | null
  /** Counts the PDFs; 0 = none yet. */
  readonly pdfNumber: number
  /** Null if unknown. */
  readonly pageCount: number | null
}

/** Tracks the state of a preview, and reports changes. */
export interface PreviewStateKeeper {
  readonly follower: CompileReporter
  current(): PreviewState
}

const nothingYet: PreviewState = {
  title: '',
  status: 'building',
  summary: 'Reading the source',
  problems: [],
  pdf: null,
  pdfNumber: 0,
  pageCount: null,
}

/** `onChange` is called after each change. */
export function keepPreviewState(onChange: () => void): PreviewStateKeeper {
  let state = nothingYet
  let program = ''
  const change = (changed: Partial<PreviewState>): void => {
    state = { ...state, ...changed }
    onChange()
  }
  return {
    current: () => state,
    follower: {
      onStart: (title) => change({ title, status: 'building', summary: 'Compiling' }),
      onProgress: (progress) => {
        if (progress.kind === 'pass-started') program = `${progress.program}, pass ${progress.passNumber}`
        if (progress.kind === 'pass-ended' || progress.kind === 'skipped') return
        change({ summary: progress.kind === 'page' ? `${program}: page ${progress.page}` : `${program}` })
      },
      onEnd: (finished) => {
        const { result, readLine } = finished
        const problems = [...result.errors, ...result.warnings].map((problem) => ({
          problem,
          source: problem.file === null || problem.line === null ? null : readLine(problem.file, problem.line),
        }))
        const { errors, warnings } = result
        const summary = summarize(finished)
        if (result.pdf === null) return change({ status: 'failed', summary, problems })
        const status = errors.length > 0 ? 'flawed' : warnings.length > 0 ? 'warned' : 'good'
        const pageCount = result.pages ?? null
        change({ status, summary, problems, pdf: result.pdf, pdfNumber: state.pdfNumber + 1, pageCount })
      },
      onCancel: () => {},
      onFailure: ({ message }) => change({ status: 'failed', summary: message, problems: [] }),
    },
  }
}

function summarize({ result, durationMs }: FinishedCompile): string {
  const time = `${(durationMs / 1000).toFixed(1)} s`
  if (result.pdf === null) return `no PDF, after ${time}`
  return result.pages === undefined ? time : `${result.pages === 1 ? '1 page' : `${result.pages} pages`} in ${time}`
}
