/**
 * Build products that users commit.
 *
 * A committed `main.pdf` or `main.log` could be mistaken for a result, and of a latexmk configuration only search paths and
 * the commands for Biber and for indexes are read: these are ignored, with a warning. `main.aux`, `main.bbl` and similar files are inputs, as for latexmk.
 */
import { posix } from 'node:path'
import type { LatexWarning } from '../base/types.ts'
import { jobPathsOf } from './job-paths.ts'
import { listReadSettings } from './latexmkrc/tool-commands-of.ts'

const RESULTS = /^(?:log|fls|pdf|xdv|dvi|synctex.*|blg|fdb_latexmk)$/
const WITHOUT_READER = new Set(['missfont.log', 'latexmkrc'])
/** A project that sets none of these in it has no reason to expect that a compile reads it: it is left out without a warning. */
const HIDDEN_SETTINGS = '.latexmkrc'
/** Files that TeX writes in one pass and reads in the next. */
const CARRIED_OVER = /^(?:aux|toc|lof|lot|loa|lol|out|nav|snm|vrb|brf|thm|bcf|run\.xml)$/

export interface SortedFiles {
  /** The files that the document may read. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of the ignored files. */
  readonly ignored: readonly string[]
}

/** Separates results of earlier compiles from the files of a project. */
export function separateBuildProducts(files: ReadonlyMap<string, Uint8Array>, rootFile: string): SortedFiles {
  const settings = listReadSettings(files, rootFile)
  const isIgnored = (path: string): boolean =>
    path !== rootFile &&
    !settings.has(path) &&
    (WITHOUT_READER.has(posix.basename(path)) || RESULTS.test(extensionOf(path, rootFile) ?? ''))
  const ignored = [...files.keys()].filter(isIgnored)
  const hidden = [...files.keys()].filter((path) => !settings.has(path) && posix.basename(path) === HIDDEN_SETTINGS)
  const leftOut = new Set([...ignored, ...hidden])
  return { files: new Map([...files].filter(([path]) => !leftOut.has(path))), ignored }
}

/** Auxiliary files of TeX that came with a project: stale ones can break the first pass. */
export function listCarriedOver(paths: Iterable<string>, rootFile: string): readonly string[] {
  return [...paths].filter((path) => CARRIED_OVER.test(extensionOf(path, rootFile) ?? ''))
}

/** The warning about ignored files. */
export function warnOfIgnored(paths: readonly string[]): readonly LatexWarning[] {
  if (paths.length === 0) return []
  const verb = paths.length === 1 ? 'was' : 'were'
  const message = `${joinNames(paths)} ${verb} ignored: a compile makes ${paths.length === 1 ? 'this file' : 'these files'} itself`
  return [{ type: 'warning', code: 'other', file: null, line: null, message }]
}

/** Extension of an output of the job; null for other files. */
function extensionOf(path: string, rootFile: string): string | null {
  const { folder, jobName } = jobPathsOf(rootFile)
  const start = posix.join(folder, `${jobName}.`)
  return path.startsWith(start) ? path.slice(start.length) : null
}

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, 10)
  const more = names.length > shown.length ? [`${names.length - shown.length} more`] : []
  const all = [...shown, ...more]
  return all.length === 1 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
