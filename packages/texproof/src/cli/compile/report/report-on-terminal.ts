import { groupByCause } from '../../../domain/group-by-cause.ts'
import { say } from '../../say.ts'
import type { CompileReporter, FinishedCompile } from './reporter.ts'
import { presentErrorGroup, presentProblem } from './present-problem.ts'
import { showProgress, type ProgressView } from './show-progress.ts'
import { summarizeResult } from './summarize-result.ts'

/** Level of detail. */
export interface TerminalStyle {
  /** Errors only. */
  readonly quiet: boolean
  /** Why each pass ran, and the surrounding log of each problem. */
  readonly explain: boolean
  /** One line for each pass, even on a terminal. */
  readonly verbose: boolean
}

/** Reports events to the user, on standard error. */
export function reportOnTerminal(style: TerminalStyle): CompileReporter {
  let view: ProgressView | null = null
  let hasProgress = false
  const endView = (): void => {
    view?.end()
    view = null
  }
  return {
    onStart: (title) => {
      hasProgress = false
      view = showProgress(title, style)
    },
    onProgress: (progress) => {
      hasProgress = true
      view?.onProgress(progress)
    },
    onEnd: (finished) => {
      endView()
      // A service reports its passes at the end.
      if (!hasProgress && style.explain) printPasses(finished)
      printResult(finished, style)
    },
    onCancel: endView,
    onFailure: endView,
  }
}

function printPasses({ title, result }: FinishedCompile): void {
  for (const { passNumber, engine, reason } of result.logs) say(`${title}  ${passNumber} ${engine}  (${reason ?? ''})`)
}

function printResult(finished: FinishedCompile, { quiet, explain }: TerminalStyle): void {
  const { title, result, readLine } = finished
  for (const group of groupByCause(result.errors)) say(presentErrorGroup(group, { readLine, explain }))
  if (quiet) return
  for (const warning of result.warnings) say(presentProblem(warning, { readLine, explain }))
  say(`${title}  ${summarizeResult(result, finished)}`)
}
