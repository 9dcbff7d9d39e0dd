import { listMissedFiles } from '../list-missed-files.ts'
import { listPictureRequests, type PictureRequest } from './list-picture-requests.ts'

/** Facts in the log of one engine pass that affect the next passes. */
export interface LogFacts {
  /** True when TeX gave up without pages. */
  readonly hasGivenUp: boolean
  /** Number of pages reported by TeX, or null. */
  readonly pageCount: number | null
  /** True if TeX reports that there are none. */
  readonly hasNoPages: boolean
  /** File that TeX could not write, as TeX names it, or null. */
  readonly unwritableFile: string | null
  /** Words that ask for another pass, or null. */
  readonly rerunPhrase: string | null
  /** True when nothing asks for anything more: no pass, no tool, no reference. */
  readonly isContent: boolean
  /** References and citations that the pass could not resolve. */
  readonly undefinedCount: number
  /** Files that TeX did not find, workspace-relative. */
  readonly missed: ReadonlySet<string>
  /** Pictures that TeX wanted to have converted. */
  readonly pictureRequests: readonly PictureRequest[]
}

const GAVE_UP = /^(?:!|\S+:\d+:)?\s*==> Fatal error occurred|^! Emergency stop\.|no output PDF file produced/m
/** The outcome is near the end; a document can print the same words before. */
const OUTCOME_LENGTH = 16_384
const CLOSING_LENGTH = 65_536

/** Reads a log, one character a byte. `folder`: where TeX ran. */
export function readLogFacts(log: string, folder: string): LogFacts {
  const closing = log.slice(-CLOSING_LENGTH)
  return {
    hasGivenUp: GAVE_UP.test(log.slice(-OUTCOME_LENGTH)),
    pageCount: readPageCount(closing),
    hasNoPages: /^No pages of output\./m.test(closing),
    unwritableFile: /I can't write on file `([^'\n]{1,1000})'/.exec(log)?.[1] ?? null,
    rerunPhrase: findRerunPhrase(log),
    isContent: isContent(log),
    undefinedCount: countUndefined(log),
    missed: listMissedFiles(log, folder),
    pictureRequests: listPictureRequests(log, folder),
  }
}

function readPageCount(closing: string): number | null {
  // Bounded, because a line that repeats the words would otherwise be searched once for each of them.
  const last = [...closing.replaceAll('\r', '').matchAll(/Output written on [^\n]{0,1000}\((\d{1,9}) pages?/g)].at(-1)
  return last?.[1] === undefined ? null : Number(last[1])
}

/**
 * What packages print when they want another pass.
 *
 * Such words never decide alone: biblatex repeats them for ever after a failed biber, and long tables of contents change
 * without any word. They name the reason, forbid the one-pass short cut, and cause at most one pass where the files say
 * nothing.
 */
const WANTS_A_PASS =
  /Rerun to get|Rerun LaTeX|[Pp]lease rerun LaTeX|rerun LaTeX|Label\(s\) may have changed|Table widths have changed|File [^\n]{0,300} has changed\.|Temporary extra page added|reprocess this file|Rerun for|Citation\(s\) may have changed|totpages[^\n]{0,300}rerun/

const WANTS_A_TOOL = /Please \(re\)run (?:Biber|BibTeX)|Using fall-back BibTeX/

const IS_UNDEFINED = /(?:Reference|Citation) [`'][^\n]{0,300} undefined|There were undefined (?:references|citations)/g

/** The first words in a log that ask for another engine pass, or null. */
export function findRerunPhrase(logText: string): string | null {
  return WANTS_A_PASS.exec(logText)?.[0] ?? null
}

/** True when nothing in the log asks for anything more: no pass, no tool, no reference. */
export function isContent(logText: string): boolean {
  return !WANTS_A_PASS.test(logText) && !WANTS_A_TOOL.test(logText) && countUndefined(logText) === 0
}

/** References and citations that a pass could not resolve. */
export function countUndefined(logText: string): number {
  return [...logText.matchAll(IS_UNDEFINED)].length
}
