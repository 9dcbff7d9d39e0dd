import { toWorkspacePath } from './job-paths.ts'

/** Files that the document asked for and TeX did not find, by LaTeX's `No file x.` lines; workspace-relative. */
export function listMissedFiles(logText: string, folder: string): ReadonlySet<string> {
  const names = [...logText.matchAll(/^No file (?:\.\/)?(.+)\.$/gm)]
  return new Set(names.flatMap(([, name]) => toWorkspacePath((name ?? '').replaceAll('"', ''), folder) ?? []))
}
