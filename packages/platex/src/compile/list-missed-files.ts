import { decodeLine } from '../log/decode-line.ts'
import { toWorkspacePath } from './job-paths.ts'

/** More than any real document requires. */
const MAX_MISSED = 1_000

/** Files that TeX did not find, from `No file x.` lines of LaTeX; workspace-relative. */
export function listMissedFiles(logText: string, folder: string): ReadonlySet<string> {
  const names = [...logText.matchAll(/^No file (?:\.\/)?(.{1,1000})\.$/gm)].slice(0, MAX_MISSED)
  return new Set(names.flatMap(([, name]) => toWorkspacePath(decodeLine(name ?? '').replaceAll('"', ''), folder) ?? []))
}
