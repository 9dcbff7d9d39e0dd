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
  let hasProgress = false
  const writeEvent = (event: string, fields: object): void => write(JSON.stringify({ event, ...fields }))
  return {
    onStart: (document) => {
      startedAt = performance.now()
      hasProgress = false
      writeEvent('start', { document })
    },
    onProgress: (progress) => {
      if (progress.kind === 'pass-ended') return
      hasProgress = true
      if (progress.kind === 'skipped') writeEvent('skipped', { engine: progress.program, reason: progress.reason })
      else if (progress.kind === 'page') writeEvent('page', { n: progress.page, pass: progress.passNumber })
      else writeEvent('pass', { n: progress.passNumber, engine: progress.program, reason: progress.reason })
    },
    onEnd: (finished) => {
      // A service reports its passes at the end.
      if (!hasProgress)
        for (const { passNumber, engine } of finished.result.logs) writeEvent('pass', { n: passNumber, engine })
      writeResult(finished, writeEvent)
    },
    onCancel: () => writeEvent('cancelled', { ms: Math.round(performance.now() - startedAt) }),
    onFailure: ({ message, exitCode }) => {
      const ms = Math.round(performance.now() - startedAt)
      writeEvent('done', { ok: false, pdf: null, ms, errors: 0, warnings: 0, exitCode, message })
    },
  }
}

function writeResult(finished: FinishedCompile, writeEvent: (event: string, fields: object) => void): void {
  const { result, output, durationMs, exitCode } = finished
  for (const problem of [...result.errors, ...result.warnings]) writeEvent('problem', problem)
  writeEvent('done', {
    ok: exitCode === exitCodes.good,
    pdf: output,
    ms: Math.round(durationMs),
    errors: result.errors.length,
    warnings: result.warnings.length,
    exitCode,
  })
}
