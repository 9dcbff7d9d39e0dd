/**
 * Files that people commit and that a compile makes itself.
 *
 * `main.pdf` and `main.log` would pass for results where there is none, and configuration of latexmk has no reader:
 * these are ignored, with a warning. `main.aux`, `main.bbl` and their like are inputs, as they are for latexmk.
 */
import { posix } from 'node:path'
import type { LatexWarning } from '../base/types.ts'
import { jobPathsOf } from './job-paths.ts'

const RESULTS = /^(?:log|fls|pdf|xdv|dvi|synctex.*|blg|fdb_latexmk)$/
const WITHOUT_READER = new Set(['missfont.log', 'latexmkrc', '.latexmkrc'])
/** What TeX writes at each pass and reads in the next. */
const CARRIED_OVER = /^(?:aux|toc|lof|lot|loa|lol|out|nav|snm|vrb|brf|thm|bcf|run\.xml)$/

export interface SortedFiles {
  /** The files that the document may read. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Paths of those that are ignored. */
  readonly ignored: readonly string[]
}

/** Takes the results of earlier compiles out of the files of a project. */
export function setAsideProducts(files: ReadonlyMap<string, Uint8Array>, rootFile: string): SortedFiles {
  const isIgnored = (path: string): boolean =>
    path !== rootFile && (WITHOUT_READER.has(posix.basename(path)) || RESULTS.test(extensionOf(path, rootFile) ?? ''))
  const ignored = [...files.keys()].filter(isIgnored)
  return { files: new Map([...files].filter(([path]) => !ignored.includes(path))), ignored }
}

/** Files of a project that a pass of TeX left there: stale ones may break the first pass of today. */
export function listCarriedOver(paths: Iterable<string>, rootFile: string): readonly string[] {
  return [...paths].filter((path) => CARRIED_OVER.test(extensionOf(path, rootFile) ?? ''))
}

/** The warning about files that were set aside. */
export function warnOfIgnored(paths: readonly string[]): readonly LatexWarning[] {
  if (paths.length === 0) return []
  const verb = paths.length === 1 ? 'was' : 'were'
  const message = `${joinNames(paths)} ${verb} ignored: a compile makes ${paths.length === 1 ? 'this file' : 'these files'} itself`
  return [{ type: 'warning', code: 'other', file: null, line: null, message }]
}

/** What follows the name of the job, or null for files of other names and folders. */
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
