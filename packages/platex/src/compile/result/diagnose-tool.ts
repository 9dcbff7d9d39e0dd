import { parseBibliographyLog } from '../../log/bibliography/parse-bibliography-log.ts'
import { parseIndexLog } from '../../log/bibliography/parse-index-log.ts'
import type { Diagnostics } from '../../log/types.ts'
import type { LatexError } from '../../base/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { explainEnd } from './explain-end.ts'
import type { ToolRun } from '../passes/run.ts'
import type { ToolPlan } from '../tools/types.ts'

/** One run of a tool, as plain data. */
export interface ToolToDiagnose extends Pick<ToolRun, 'report' | 'transcript'> {
  readonly plan: Pick<ToolPlan, 'tool' | 'subject'>
  /** The number of the engine pass before it, if it has no number of its own. */
  readonly passNumber: number
}

/** Number of last lines of output shown as the context of a failure. */
const CONTEXT_LINES = 20

/**
 * Diagnostics of one tool run.
 *
 * A tool that failed without a message in its log, or was killed, is an error too, because the document lacks its
 * output.
 */
export function diagnoseTool(
  run: ToolToDiagnose,
  context: { readonly sources: ReadonlyMap<string, string>; readonly timeoutMs: number; readonly passNumber: number },
): Diagnostics {
  const { tool } = run.plan
  const { end } = run.report
  const said = parseToolLog(run, context.sources)
  const cut = explainEnd(end, { ...context, program: tool })
  if (cut !== null) return { ...said, errors: [...said.errors, errorOf(run, cut)] }
  const hasFailed = end.kind === 'exited' && end.exitCode >= FIRST_FAILURE[tool]
  if (hasFailed && said.errors.length === 0) return { ...said, errors: [errorOf(run, explainExit(run))] }
  return { ...said, errors: said.errors.filter((error) => !isExcludedChapter(error) && !isEndOfStyle(error)) }
}

/**
 * LaTeX also names the chapters that `\includeonly` excludes, and writes no auxiliary files for them. BibTeX skips them: this
 * is no mistake of the author.
 */
function isExcludedChapter({ message }: LatexError): boolean {
  return message.startsWith("I couldn't open auxiliary file ")
}

/** Styles made with docstrip, such as the Russian standard GOST, end in `\endinput`: BibTeX has read all of the style by then. */
function isEndOfStyle({ message, context }: LatexError): boolean {
  return message === String.raw`"\" can't start a style-file command` && /^ : \\endinput$/m.test(context ?? '')
}

/** The lowest exit code that is a failure: BibTeX ends with 1 when it has only warned. */
const FIRST_FAILURE = { bibtex: 2, biber: 1, makeindex: 1, xindy: 1, texindy: 1, bib2gls: 1 } as const

function parseToolLog(
  { plan: { tool }, transcript, report }: ToolToDiagnose,
  sources: ReadonlyMap<string, string>,
): Diagnostics {
  if (tool === 'biber' || tool === 'bibtex') return parseBibliographyLog({ tool, log: transcript, sources })
  // makeindex logs everything but a missing style; xindy reports errors on standard error.
  const text = [transcript, report.stdout, report.stderr].map(latin1).join('\n')
  return parseIndexLog({ tool, text, sources })
}

/** biber is Perl, which ends with the number of the last system error; standard error may be gone by then. */
const PERL_OUT_OF_MEMORY = 12

function explainExit(run: ToolToDiagnose): string {
  const { tool, subject } = run.plan
  const exitCode = run.report.end.kind === 'exited' ? run.report.end.exitCode : -1
  const lines = outputLines(run)
  const isPerl = tool !== 'bibtex' && tool !== 'makeindex' && tool !== 'bib2gls'
  const isOutOfMemory = lines.some((line) => /out of memory|cannot allocate memory/i.test(line))
  if (isOutOfMemory || (isPerl && exitCode === PERL_OUT_OF_MEMORY)) {
    return `${tool} needs more memory than a compile may have (${subject})`
  }
  const last = lines.at(-1)
  return `${tool} failed on ${subject} (exit code ${exitCode})${last === undefined ? '' : `: ${last.slice(0, 300)}`}`
}

function errorOf(run: ToolToDiagnose, message: string): LatexError {
  const { tool } = run.plan
  const lines = outputLines(run).slice(-CONTEXT_LINES)
  const source = tool === 'biber' || tool === 'bibtex' ? tool : 'latex'
  return { type: 'error', file: null, line: null, message, context: lines.join('\n') || null, source }
}

function outputLines({ report }: ToolToDiagnose): readonly string[] {
  const text = [report.stdout, report.stderr].map((bytes) => latin1(bytes.subarray(-8192))).join('\n')
  return text.split('\n').filter((line) => line.trim() !== '')
}
