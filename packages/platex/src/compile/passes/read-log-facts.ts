import { listMissedFiles } from '../list-missed-files.ts'
import { listPictureRequests, type PictureRequest } from './list-picture-requests.ts'
import { countUndefined, findRerunPhrase, isContent } from './rerun-phrases.ts'

/** What the log of one engine pass decides about the passes to come. */
export interface LogFacts {
  /** True when TeX gave up without pages. */
  readonly hasGivenUp: boolean
  /** Pages that TeX says it wrote, or null. */
  readonly pageCount: number | null
  /** True when TeX says that there are none. */
  readonly hasNoPages: boolean
  /** File that TeX could not write, as TeX names it, or null. */
  readonly unwritableFile: string | null
  /** Words that ask for another pass, or null. */
  readonly rerunPhrase: string | null
  /** True when nothing asks for anything more: no pass, no tool, no reference. */
  readonly isContent: boolean
  /** References and citations that the pass could not resolve. */
  readonly undefinedCount: number
  /** Files that the document asked for and TeX did not find, workspace-relative. */
  readonly missed: ReadonlySet<string>
  /** Pictures that TeX wanted to have converted. */
  readonly pictureRequests: readonly PictureRequest[]
}

const GAVE_UP = /^(?:!|\S+:\d+:)?\s*==> Fatal error occurred|^! Emergency stop\.|no output PDF file produced/m
/** The verdict is near the end; a document may print the same words anywhere before. */
const VERDICT_LENGTH = 16_384
const CLOSING_LENGTH = 65_536

/** Reads a log, one character a byte. `folder`: where TeX ran. */
export function readLogFacts(log: string, folder: string): LogFacts {
  const closing = log.slice(-CLOSING_LENGTH)
  return {
    hasGivenUp: GAVE_UP.test(log.slice(-VERDICT_LENGTH)),
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
