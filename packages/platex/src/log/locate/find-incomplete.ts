import { filesToSearch, type Fault, type Place } from './places.ts'

/** The conditional without its `\fi`: TeX tells its line in the message, but not in which file. */
export function findIncomplete(fault: Fault): Place | null {
  const match = /^Incomplete (\\\S+); all text was ignored after line (\d+)\.$/.exec(fault.error.message)
  if (match === null) return null
  const line = Number(match[2])
  const files = filesToSearch(fault)
  const file = files.find((name) => /\\if|\\else|\\or/.test(fault.sources.code(name)[line - 1] ?? ''))
  return { file: file ?? fault.reported.file, line }
}
