/** The drafts that can be files beside the files of a commit. */
export interface FittingDrafts {
  /** Path → text. */
  readonly fitting: ReadonlyMap<string, string>
  /** Paths of the others. */
  readonly omitted: readonly string[]
}

/**
 * Omits drafts that have the path of a folder, or are in a folder that has the path of a file: a push has replaced one by
 * the other since they were typed. Of two drafts that exclude each other, the first one stays.
 */
export function fitDrafts(files: Iterable<string>, drafts: ReadonlyMap<string, string>): FittingDrafts {
  const paths = new Set(files)
  const folders = new Set([...paths].flatMap(foldersOf))
  const fitting = new Map<string, string>()
  const omitted: string[] = []
  for (const [path, text] of drafts) {
    const around = foldersOf(path)
    if (folders.has(path) || around.some((folder) => paths.has(folder))) {
      omitted.push(path)
      continue
    }
    fitting.set(path, text)
    paths.add(path)
    for (const folder of around) folders.add(folder)
  }
  return { fitting, omitted }
}

/** `a/b/c.tex` → `a`, `a/b`. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}
