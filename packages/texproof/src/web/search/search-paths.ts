import { parseFileList } from '../../git/objects/parse-file-list.ts'

/** Maximum number of paths searched and shown. */
export const pathLimits = { searched: 50_000, shown: 200 } as const

/** Output of git for a tree, and the query. */
export interface PathQuery {
  readonly list: Uint8Array
  readonly query: string
}

/** The best paths of a tree, and their total number; null for a tree with too many files. Runs in a worker thread. */
export function searchPaths({
  list,
  query,
}: PathQuery): { readonly paths: readonly string[]; readonly total: number } | null {
  const files = parseFileList(list, { maxFiles: pathLimits.searched })
  if (files === null) return null
  const paths = files.filter(({ kind }) => kind !== 'submodule').map(({ path }) => path)
  const found = rankPaths(paths, query)
  return { paths: found.slice(0, pathLimits.shown), total: found.length }
}

/** The paths that contain the letters of a query in order; best first: adjacent, in the name, near its start. */
export function rankPaths(paths: readonly string[], query: string): readonly string[] {
  const letters = query.toLowerCase().replaceAll(/\s+/g, '')
  if (letters === '') return paths
  return paths
    .flatMap((path) => {
      const cost = costOf(path.toLowerCase(), letters)
      return cost === null ? [] : [{ path, cost }]
    })
    .toSorted((left, right) => left.cost - right.cost || left.path.length - right.path.length)
    .map(({ path }) => path)
}

/** Number of characters between the letters; null if one is missing. Matched from the end: names matter most. */
function costOf(path: string, letters: string): number | null {
  const whole = path.lastIndexOf(letters)
  const nameStart = path.lastIndexOf('/') + 1
  if (whole !== -1) return whole >= nameStart ? (whole - nameStart) / 1000 : 1
  let at = path.length
  let gaps = 0
  for (let n = letters.length - 1; n >= 0; n--) {
    const found = path.lastIndexOf(letters[n] ?? '', at - 1)
    if (found === -1 || at === 0) return null
    gaps += n === letters.length - 1 ? 0 : at - found - 1
    at = found
  }
  return 2 + gaps
}
