import { posix } from 'node:path'
import { jobPathsOf } from './job-paths.ts'

/** What TeX writes beside a root document and makes anew; `.bbl`, `.ind` and `.gls` may be the author's own. */
const MADE_ANEW =
  /^(?:aux|log|fls|pdf|xdv|dvi|synctex|synctex\.gz|synctex\(busy\)|toc|lof|lot|loa|lol|out|nav|snm|vrb|bcf|run\.xml|blg|idx|ilg|glo|glg|acn|alg|brf|thm|fdb_latexmk)$/

/**
 * The files of a project without what an earlier run of the same document left in it.
 *
 * People commit `main.aux` and `main.pdf`. The one is from another TeX system or another day and may break the first
 * pass, the other would pass for a result where there is none.
 */
export function dropStaleOutputs(
  files: ReadonlyMap<string, Uint8Array>,
  rootFile: string,
): ReadonlyMap<string, Uint8Array> {
  const { folder, jobName } = jobPathsOf(rootFile)
  const start = posix.join(folder, `${jobName}.`)
  return new Map([...files].filter(([path]) => !path.startsWith(start) || !MADE_ANEW.test(path.slice(start.length))))
}
