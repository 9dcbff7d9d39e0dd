import { decodeLine } from '../log/decode-line.ts'
import { toWorkspacePath } from './job-paths.ts'

/** More than any real document requires. */
const MAX_MISSED = 1_000

/** The warnings of xr and xr-hyper, and of zref-xr. */
const MISSING_LABELS =
  /^Package xr Warning: \n?No file (?:\.\/)?([^\n]{1,1000}\.aux)\nLABELS NOT IMPORTED|^Package zref-xr Warning: File `(?:\.\/)?([^\n']{1,1000}\.aux)' not found/gm

/** Files that TeX did not find, from `No file x.` lines of LaTeX; workspace-relative. */
export function listMissedFiles(logText: string, folder: string): ReadonlySet<string> {
  const names = [...logText.matchAll(/^No file (?:\.\/)?(.{1,1000})\.$/gm)].slice(0, MAX_MISSED)
  return new Set(names.flatMap(([, name]) => toWorkspacePath(decodeLine(name ?? '').replaceAll('"', ''), folder) ?? []))
}

/** The `.aux` files of other documents that the packages for references to them did not find; workspace-relative. */
export function listMissingLabels(logText: string, folder: string): readonly string[] {
  const names = [...logText.matchAll(MISSING_LABELS)].map(([, xr, zref = '']) => decodeLine(xr ?? zref))
  return [...new Set(names.flatMap((name) => toWorkspacePath(name.replaceAll('"', ''), folder) ?? []))]
}
