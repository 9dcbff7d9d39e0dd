/**
 * The time that TeX uses for a document of a commit: the beginning of the day of the commit, in UTC.
 *
 * Engines read documents ahead for the next push, whose time of day is unknown, and the time is part of what they have
 * read. The same commit always gives the same PDF. Documents that mention the time of day get the time of the commit, and
 * are not read ahead.
 */
import { Buffer } from 'node:buffer'

const DAY_S = 86_400
const SOURCES = /\.(?:tex|ltx|sty|cls|def|cfg|clo|lua)$/
/** Packages and commands that print the time of day, or write it into the metadata of the PDF. */
const TIME_OF_DAY =
  /\\time(?![a-zA-Z@])|(?:current|this)time|creationdate|timestamp|DTM|datetime|scrtime|hyperxmp|pdfx|pdfmanagement|DocumentMetadata|os\.(?:date|time)|c_sys_/
/** Larger projects are not searched. */
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024

export interface DocumentTime {
  /** Seconds since 1970 UTC. */
  readonly epoch: number
  /** False if another commit of the same day has another time. */
  readonly isOfWholeDay: boolean
}

/** The time of a document with these files, for a commit at `committedAt` milliseconds. */
export function documentTime(committedAt: number, files: ReadonlyMap<string, Uint8Array>): DocumentTime {
  const isOfWholeDay = !mayUseTimeOfDay(files)
  return { epoch: isOfWholeDay ? startOfDay(committedAt) : toEpoch(committedAt), isOfWholeDay }
}

/** The beginning of a day in UTC, in seconds, for a time in milliseconds. */
export function startOfDay(at: number): number {
  const epoch = toEpoch(at)
  return epoch - (epoch % DAY_S)
}

function toEpoch(at: number): number {
  return Math.max(0, Math.floor(at / 1000))
}

function mayUseTimeOfDay(files: ReadonlyMap<string, Uint8Array>): boolean {
  const sources = [...files].filter(([path]) => SOURCES.test(path)).map(([, bytes]) => bytes)
  if (sources.reduce((sum, bytes) => sum + bytes.length, 0) > MAX_SEARCHED_BYTES) return true
  return sources.some((bytes) => TIME_OF_DAY.test(Buffer.from(bytes).toString('latin1')))
}
