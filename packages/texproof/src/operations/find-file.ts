import { posix } from 'node:path'

import type { GitStore, TreeEntry } from '../git/types.ts'

/** The entry at a path of a commit's tree; null when there is none. */
export async function findFile(
  git: GitStore,
  repositoryId: number,
  place: { readonly commitId: string; readonly path: string },
): Promise<TreeEntry | null> {
  const folder = posix.dirname(place.path)
  const entries = await git.listFolder(repositoryId, place.commitId, folder === '.' ? '' : folder)
  return entries?.find(({ name }) => name === posix.basename(place.path)) ?? null
}
