import { posix } from 'node:path'
import { canonicalDigest } from '../canonical-digest.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** The files that the passes left: path → canonical digest. Missing files have no entry. */
export type State = ReadonlyMap<string, string>

/**
 * Outputs that no pass depends on: logs, pages, and `.run.xml`, which changes after pass 2 in an irrelevant part.
 *
 * Pages are volatile even if a package reads them back (hyperxmp counts their bytes). Logs of tools are not listed: no pass
 * writes them, and the list of a float can have the same ending (`main.alg`).
 */
const VOLATILE = /\.(?:log|fls|pdf|xdv|dvi|synctex(?:\.gz|\(busy\))?|run\.xml|xmpdata-out)$/

export function isVolatile(path: string): boolean {
  return VOLATILE.test(path)
}

/** Hashes the existing files. `written`: files that the pass before opened for writing. */
export async function readState(
  workspace: WorkspaceView,
  options: { paths: Iterable<string>; written: ReadonlySet<string> },
): Promise<State> {
  const openedLists = listEndings(options.written)
  const state = new Map<string, string>()
  for (const path of options.paths) {
    const bytes = await workspace.read(path)
    if (bytes !== null) state.set(path, canonicalDigest(path, bytes, openedLists))
  }
  return state
}

/** `main.toc` → `toc`. */
export function listEndings(paths: Iterable<string>): ReadonlySet<string> {
  return new Set([...paths].map((path) => posix.extname(path).slice(1)))
}
