import { posix } from 'node:path'

/** Working directory of a root file and the names of its outputs. */
export interface JobPaths {
  /** Folder of the root file inside the workspace, '' = the workspace itself; TeX runs there. */
  readonly folder: string
  /** Name of the root file in `folder`. */
  readonly rootName: string
  /** Stem of every output. */
  readonly jobName: string
}

/**
 * Splits a root file into folder, name and job name.
 *
 * TeX quotes job names with spaces and fails on its special characters, so all of these become `-`.
 */
export function jobPathsOf(rootFile: string): JobPaths {
  const { dir, base, name } = posix.parse(rootFile)
  return { folder: dir, rootName: base, jobName: name.replace(/[\s"#$%&'\\^{}~`]/g, '-') }
}

/** Path relative to the working directory → path relative to the workspace; null when it leaves the workspace. */
export function toWorkspacePath(name: string, folder: string): string | null {
  const path = posix.normalize(posix.join(folder, name))
  return path === '..' || path.startsWith('../') || posix.isAbsolute(path) ? null : path
}
