import { posix } from 'node:path'

/**
 * Names for the PDFs of documents, in the same order: the root's own name where that is unique, else its whole path
 * joined by `-`. Names differ by more than case, since readers' disks may not tell case apart.
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
