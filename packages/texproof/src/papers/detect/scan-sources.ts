import { posix } from 'node:path'

import { scanTexSource, type TexScan } from './scan-tex-source.ts'
import type { DocumentTree } from './types.ts'

/** The scanned sources of a tree by path, and which files include which. */
export interface SourceMap {
  readonly keys: () => Iterable<string>
  readonly values: () => Iterable<TexScan>
  readonly get: (path: string) => TexScan | undefined
  readonly has: (path: string) => boolean
  /** Files that `path` includes directly, without `.sty` and `.cls` files of the tree. */
  readonly includedBy: (path: string) => readonly string[]
  /** Every file that a document starting at `path` reads, including packages and classes of the tree. */
  readonly closureOf: (path: string) => readonly string[]
}

/** Maximum number of files that are read: a tree with more sources is not a paper. */
const MAX_SOURCES = 3000
const SOURCE = /\.(?:tex|ltx|latex|sty|cls)$/i

/** Whether a path names a TeX source. Hidden folders are ignored. */
export function isLatexSource(path: string): boolean {
  return SOURCE.test(path) && !isHidden(path)
}

/** Whether a path is hidden, or in a folder that is not searched. */
export function isHidden(path: string): boolean {
  return /(?:^|\/)(?:\.|node_modules\/)/.test(path)
}

/** Reads and scans every TeX source of a tree. */
export async function scanSources(tree: DocumentTree): Promise<SourceMap> {
  const names = [...tree.paths].filter(isLatexSource).slice(0, MAX_SOURCES)
  const scans = new Map<string, TexScan>()
  for (const name of names) {
    const source = await tree.readText(name)
    if (source !== null) scans.set(name, scanTexSource(name, source))
  }
  const documents = new Map([...scans].filter(([path]) => !/\.(?:sty|cls)$/i.test(path)))
  const styles = listUniqueStyles(scans)
  const includedBy = (path: string): readonly string[] => resolveIncludes(scans, path, posix.dirname(path))
  return {
    keys: () => documents.keys(),
    values: () => documents.values(),
    get: (path) => scans.get(path),
    has: (path) => documents.has(path),
    includedBy,
    closureOf: (path) => walkClosure({ scans, styles }, path),
  }
}

/** TeX resolves names from the folder it runs in, so a part names its own parts relative to the root's folder. */
function resolveIncludes(scans: ReadonlyMap<string, TexScan>, path: string, rootFolder: string): string[] {
  const folders = new Set([rootFolder, posix.dirname(path), '.'])
  return (scans.get(path)?.includes ?? []).flatMap((name) => {
    const candidates = [...folders].flatMap((folder) => [posix.join(folder, name), posix.join(folder, `${name}.tex`)])
    return candidates.find((candidate) => scans.has(candidate)) ?? []
  })
}

interface Scanned {
  readonly scans: ReadonlyMap<string, TexScan>
  readonly styles: ReadonlyMap<string, string>
}

function walkClosure(scanned: Scanned, root: string): string[] {
  const rootFolder = posix.dirname(root)
  const seen = new Set([root])
  // A Set may grow during iteration: each file found is visited once.
  for (const path of seen) {
    for (const part of resolveIncludes(scanned.scans, path, rootFolder)) seen.add(part)
    for (const style of resolveStyles(scanned, path, rootFolder)) seen.add(style)
  }
  seen.delete(root)
  return [...seen]
}

/** A style elsewhere counts if its name is unique: the latexmkrc of such a project sets search paths. */
function resolveStyles({ scans, styles }: Scanned, path: string, rootFolder: string): string[] {
  return (scans.get(path)?.packages ?? []).flatMap(({ name }) => {
    const candidates = [rootFolder, '.'].flatMap((folder) =>
      ['.sty', '.cls'].map((ending) => posix.join(folder, name + ending)),
    )
    return candidates.find((candidate) => scans.has(candidate)) ?? styles.get(name) ?? []
  })
}

/** Packages and classes by name, except names that occur several times in the tree. */
function listUniqueStyles(scans: ReadonlyMap<string, TexScan>): ReadonlyMap<string, string> {
  const paths = [...scans.keys()].filter((path) => /\.(?:sty|cls)$/.test(path))
  const byName = Map.groupBy(paths, (path) => posix.basename(path, posix.extname(path)))
  return new Map(
    [...byName].flatMap(([name, [path, ...others]]) => (path && others.length === 0 ? [[name, path]] : [])),
  )
}
