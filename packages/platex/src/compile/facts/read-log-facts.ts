import { decodeLine } from '../../log/decode-line.ts'
import { listMissedFiles, listMissingLabels } from '../list-missed-files.ts'
import { listPictureRequests, listUnmeasured, type PictureRequest } from './list-picture-requests.ts'

/** Facts in the log of one engine pass that affect the next passes. */
export interface LogFacts {
  /** True if TeX stopped without pages. */
  readonly hasGivenUp: boolean
  /** Number of pages reported by TeX, or null. */
  readonly pageCount: number | null
  /** True if TeX reports that there are none. */
  readonly hasNoPages: boolean
  /** File that TeX could not write, as TeX names it, or null. */
  readonly unwritableFile: string | null
  /** The message that asks for another pass, or null. */
  readonly rerunPhrase: string | null
  /** True if no pass, tool or reference is outstanding. */
  readonly isContent: boolean
  /** References and citations that the pass could not resolve. */
  readonly undefinedCount: number
  /** Files that TeX did not find, workspace-relative. */
  readonly missed: ReadonlySet<string>
  /** The `.aux` files of other documents whose labels were not imported, workspace-relative. */
  readonly missingLabels: readonly string[]
  /** Pictures to convert. */
  readonly pictureRequests: readonly PictureRequest[]
  /** Pictures whose size is unknown. */
  readonly unmeasured: readonly string[]
  /** Version of GregorioTeX, as in names of files, if a score is not converted; or null. */
  readonly scoreVersion: string | null
}

const GAVE_UP = /^(?:!|\S+:\d+:)?\s{0,10}==> Fatal error occurred|^! Emergency stop\.|no output PDF file produced/m
/** The outcome is near the end; a document can print the same words before. */
const OUTCOME_LENGTH = 16_384
const CLOSING_LENGTH = 65_536

/** Reads a log, one character per byte. `folder`: working directory of TeX. */
export function readLogFacts(log: string, folder: string): LogFacts {
  const closing = log.slice(-CLOSING_LENGTH)
  const [, unwritable] = /I can't write on file `([^'\n]{1,1000})'/.exec(log) ?? []
  return {
    hasGivenUp: GAVE_UP.test(log.slice(-OUTCOME_LENGTH)),
    pageCount: readPageCount(closing),
    hasNoPages: /^No pages of output\./m.test(closing),
    unwritableFile: unwritable === undefined ? null : decodeLine(unwritable),
    rerunPhrase: findRerunPhrase(log),
    isContent: isContent(log),
    undefinedCount: countUndefined(log),
    missed: listMissedFiles(log, folder),
    missingLabels: listMissingLabels(log, folder),
    pictureRequests: listPictureRequests(log, folder),
    unmeasured: listUnmeasured(log),
    scoreVersion: /-(\d{1,9}_[-\w]{1,50})\.gtex does not exist\. Will use gabc file/.exec(log)?.[1] ?? null,
  }
}

function readPageCount(closing: string): number | null {
  // Bounded, because a line that repeats the words would otherwise be searched once for each of them.
  const last = [...closing.replaceAll('\r', '').matchAll(/Output written on [^\n]{0,1000}\((\d{1,9}) pages?/g)].at(-1)
  return last?.[1] === undefined ? null : Number(last[1])
}

/**
 * Messages of packages that ask for another pass.
 *
 * They never decide alone: biblatex repeats them forever after a failed biber run, and long tables of contents change
 * without any message. They are shown as the reason, prevent the one-pass shortcut, and cause at most one pass if no
 * file changed.
 */
const WANTS_A_PASS =
  /Rerun to get|Rerun LaTeX|[Pp]lease rerun LaTeX|rerun LaTeX|Label\(s\) may have changed|Table widths have changed|File [^\n]{0,300} has changed\.|Temporary extra page added|reprocess this file|Rerun for|Citation\(s\) may have changed|totpages[^\n]{0,300}rerun/

const WANTS_A_TOOL = /Please \(re\)run (?:Biber|BibTeX)|Using fall-back BibTeX/

const IS_UNDEFINED = /(?:Reference|Citation) [`'][^\n]{0,300} undefined|There were undefined (?:references|citations)/g

/** The first message in a log that asks for another engine pass, or null. */
function findRerunPhrase(logText: string): string | null {
  return WANTS_A_PASS.exec(logText)?.[0] ?? null
}

/** True if the log shows no outstanding pass, tool or reference. */
export function isContent(logText: string): boolean {
  return !WANTS_A_PASS.test(logText) && !WANTS_A_TOOL.test(logText) && countUndefined(logText) === 0
}

/** References and citations that a pass could not resolve. */
function countUndefined(logText: string): number {
  return [...logText.matchAll(IS_UNDEFINED)].length
}
