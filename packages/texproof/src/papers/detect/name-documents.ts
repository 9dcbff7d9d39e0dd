import { posix } from 'node:path'

/**
 * Names the PDFs of documents, in the same order: the name of the root file if it is unique, else its whole path joined
 * by `-`. Names differ not only by case, because some file systems ignore case.
 */
export function nameDocuments(
  documents: readonly { readonly path: string; readonly wanted: string | null }[],
): string[] {
  const plain = documents.map(({ path, wanted }) => wanted ?? stem(posix.basename(path)))
  const long = documents.map(({ path, wanted }) => wanted ?? stem(path).replaceAll('/', '-'))
  const taken = new Set<string>()
  return documents.map((_, at) => {
    const isShared = plain.filter((name) => sameName(name, plain[at] ?? '')).length > 1
    const name = (isShared ? long[at] : plain[at]) ?? 'document'
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? name : `${name}-${count}`
      if (taken.has(candidate.toLowerCase())) continue
      taken.add(candidate.toLowerCase())
      return candidate
    }
  })
}

function stem(path: string): string {
  return path.replace(/\.(?:tex|ltx|latex)$/i, '')
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
