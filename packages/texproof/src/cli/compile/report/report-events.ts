/**
 * Events for programs: one JSON object per line on standard output, as they happen.
 *
 * ```text
 * {"event":"start","document":"main.tex"}
 * {"event":"pass","n":1,"engine":"pdflatex","reason":"first pass"}
 * {"event":"page","n":9,"pass":1}
 * {"event":"skipped","engine":"bibtex","reason":"main.aux has no relevant changes"}
 * {"event":"problem","type":"error","file":"main.tex","line":3,"message":"…","context":"…","source":"latex"}
 * {"event":"done","ok":true,"pdf":"main.pdf","ms":3901,"errors":0,"warnings":2,"exitCode":0}
 * ```
 *
 * Each compile ends with `done` or, under `--watch` if a change interrupts it, with `cancelled`.
 */
import { exitCodes } from '../../exit-codes.ts'
import type { CompileReporter, FinishedCompile } from './reporter.ts'

/** Reports events to a program; `write` takes one line without its end. */
export function reportEvents(write: (line: string) => void): CompileReporter {
  let startedAt = performance.now()
  let hasTold = false
  const tell = (event: string, fields: object): void => write(JSON.stringify({ event, ...fields }))
  return {
    onStart: (document) => {
      startedAt = performance.now()
      hasTold = false
      tell('start', { document })
    },
    onProgress: (progress) => {
      if (progress.kind === 'pass-ended') return
      hasTold = true
      if (progress.kind === 'skipped') tell('skipped', { engine: progress.program, reason: progress.reason })
      else if (progress.kind === 'page') tell('page', { n: progress.page, pass: progress.passNumber })
      else tell('pass', { n: progress.passNumber, engine: progress.program, reason: progress.reason })
    },
    onEnd: (finished) => {
      // A service reports its passes at the end.
      if (!hasTold) for (const { passNumber, engine } of finished.result.logs) tell('pass', { n: passNumber, engine })
      tellResult(finished, tell)
    },
    onCancel: () => tell('cancelled', { ms: Math.round(performance.now() - startedAt) }),
    onFailure: ({ message, exitCode }) => {
      const ms = Math.round(performance.now() - startedAt)
      tell('done', { ok: false, pdf: null, ms, errors: 0, warnings: 0, exitCode, message })
    },
  }
}

function tellResult(finished: FinishedCompile, tell: (event: string, fields: object) => void): void {
  const { result, output, durationMs, exitCode } = finished
  for (const problem of [...result.errors, ...result.warnings]) tell('problem', problem)
  tell('done', {
    ok: exitCode === exitCodes.good,
    pdf: output,
    ms: Math.round(durationMs),
    errors: result.errors.length,
    warnings: result.warnings.length,
    exitCode,
  })
}
