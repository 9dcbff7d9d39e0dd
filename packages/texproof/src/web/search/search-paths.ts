import { parseFileList } from '../../git/objects/parse-file-list.ts'
import { rankPaths } from './rank-paths.ts'

/** Paths that are searched, and shown. */
export const pathLimits = { searched: 50_000, shown: 200 } as const

/** What git prints of a tree, and what somebody types. */
export interface PathQuery {
  readonly list: Uint8Array
  readonly query: string
}

/** The best paths of a tree, and how many there are in all; null for a tree with too many files. Runs on a thread. */
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
