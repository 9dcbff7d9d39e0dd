import { parseBiberLog } from './parse-biber-log.ts'
import { parseBibtexLog } from './parse-bibtex-log.ts'
import type { BibliographyLog, Diagnostics } from '../types.ts'

/** Parses the `.blg` of a bibliography run; never throws. */
export function parseBibliographyLog({ tool, log, sources }: BibliographyLog): Diagnostics {
  return tool === 'biber' ? parseBiberLog(log, sources) : parseBibtexLog(log, sources)
}
