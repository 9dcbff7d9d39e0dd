import { listDocuments } from './locate/places.ts'
import { listSourceLoads, type SourceLoad } from './source-loads.ts'
import type { SourceTexts } from './source-texts.ts'

/** The lines of a file from `from` to `to`, 1-based; empty if `to` is smaller. */
export interface PartOfFile {
  readonly file: string
  readonly from: number
  readonly to: number
}

const READS = /^(?:input|include|subfile|subfileinclude|InputIfFileExists|(?:sub)?import|inputfrom|includefrom)$/
/** TeX can open fewer. */
const MAX_DEPTH = 30
const MAX_LOADS = 10_000

/**
 * The user's TeX files in the order in which TeX reads them from `root` on: a file continues after each one that it loads. A file
 * that is loaded again is not repeated. Files that a macro loads, or nothing, come last.
 */
export function listInReadingOrder(sources: SourceTexts, root: string): readonly PartOfFile[] {
  const parts: PartOfFile[] = []
  const read = new Set<string>()

  function readFile(file: string, depth: number): void {
    read.add(file)
    let from = 1
    for (const load of listSourceLoads(sources, file).slice(0, MAX_LOADS)) {
      const loaded = loadedFile(sources, load)
      if (loaded === null || read.has(loaded) || depth === MAX_DEPTH) continue
      parts.push({ file, from, to: load.line })
      from = load.line + 1
      readFile(loaded, depth + 1)
    }
    parts.push({ file, from, to: Infinity })
  }

  readFile(root, 0)
  const others = listDocuments(sources).filter((file) => !read.has(file))
  return [...parts, ...others.map((file) => ({ file, from: 1, to: Infinity }))]
}

function loadedFile(sources: SourceTexts, { command, names }: SourceLoad): string | null {
  if (!READS.test(command)) return null
  // The last name of \import contains the folder.
  const candidates = names.toReversed().map((name) => name.replace(/^(?:\.\/)+/, ''))
  return candidates.flatMap((name) => [name, `${name}.tex`]).find((name) => sources.has(name)) ?? null
}
