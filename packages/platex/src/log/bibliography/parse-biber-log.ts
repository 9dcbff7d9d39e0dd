/**
 * Biber's `.blg`: `[ms] Module.pm:line> LEVEL - message`, or `LEVEL - message` as on its standard output. Biber parses
 * a copy of each database under a temporary name, so the database is the last one that it found.
 */

import { createBibliographyPlaces, type BibliographyPlace, type BibliographyPlaces } from './find-bibliography-place.ts'
import { readToolLines } from '../read-log-lines.ts'
import type { Diagnostics } from '../types.ts'
import type { LatexError, LatexWarning } from '../../base/types.ts'

interface BiberLine {
  readonly level: string
  readonly text: string
  /** The database being read. */
  readonly database: string | null
}

const nowhere: BibliographyPlace = { file: null, line: null }

/** Parses a `.blg` that Biber wrote. */
export function parseBiberLog(log: Uint8Array, sources: ReadonlyMap<string, string>): Diagnostics {
  const places = createBibliographyPlaces(sources)
  const lines = listLines(readToolLines(log))
  const errors = lines.flatMap((line): LatexError[] => {
    if (line.level !== 'ERROR' && line.level !== 'FATAL') return []
    const place = errorPlace(line, places)
    return [{ type: 'error', ...place, message: withoutCopyName(line), context: null, source: 'biber' }]
  })
  const warnings = lines.flatMap((line): LatexWarning[] => {
    if (line.level !== 'WARN') return []
    const missing = /I didn't find a database entry for '([^']+)'/.exec(line.text)?.[1]
    const place = missing === undefined ? errorPlace(line, places) : places.citation(missing)
    const code = missing === undefined ? 'other' : 'undefined-citation'
    return [{ type: 'warning', code, ...place, message: `biber: ${withoutCopyName(line)}` }]
  })
  return { errors, warnings }
}

function listLines(lines: readonly string[]): readonly BiberLine[] {
  const listed: { level: string; text: string; database: string | null }[] = []
  let database: string | null = null
  for (const line of lines) {
    const match = /^(?:\[\d+\] \S+> )?(TRACE|DEBUG|INFO|WARN|ERROR|FATAL) - (.*)$/.exec(line)
    const last = listed[listed.length - 1]
    if (match === null) {
      if (last !== undefined && last.level !== 'INFO' && line.trim() !== '') last.text += ` ${line.trim()}`
      continue
    }
    const [, level = '', text = ''] = match
    database = /^(?:Found BibTeX data source|Looking for bibtex file) '([^']+)'/.exec(text)?.[1] ?? database
    listed.push({ level, text, database })
  }
  return listed
}

function errorPlace({ text, database }: BiberLine, places: BibliographyPlaces): BibliographyPlace {
  const line = /^BibTeX subsystem: .*?, line (\d+),/.exec(text)?.[1]
  if (line !== undefined) {
    const file = places.userFile(database ?? '')
    return file === null ? nowhere : places.reported(text, file, Number(line))
  }
  const unreadable = /^Data file '([^']+)' cannot be read/.exec(text)?.[1]
  if (unreadable !== undefined) return { file: places.userFile(unreadable), line: null }
  const missing = /^Cannot find '([^']+)'/.exec(text)?.[1]
  if (missing !== undefined) return places.request(missing)
  const repeated = /^Duplicate entry key: '([^']+)'/.exec(text)?.[1]
  if (repeated !== undefined) return places.entry(repeated, 2)
  if (/^(?:Invalid or undefined BibTeX entry key in file|Data source '.*' is empty)/.test(text))
    return { file: places.userFile(database ?? ''), line: null }
  const key = /\b[Ee]ntry (?:key )?'([^']+)'/.exec(text)?.[1]
  return key === undefined ? nowhere : places.entry(key)
}

/** Replaces the name of the temporary copy, `/tmp/biber_tmp_x/8fe4….utf8`, by the name of the database. */
function withoutCopyName({ text, database }: BiberLine): string {
  const copy = /(?<=^BibTeX subsystem: )\S+\.utf8|[^\s']*biber_tmp_[^\s']*\.utf8/
  return text.replace(copy, database ?? 'database')
}
