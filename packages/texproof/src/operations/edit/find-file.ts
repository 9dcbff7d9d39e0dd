import type { GitStore, TreeEntry } from '../../git/types.ts'

/** The entry at a path of a commit's tree; null if there is none. */
export function findFile(
  git: GitStore,
  repositoryId: number,
  place: { readonly commitId: string; readonly path: string },
): Promise<TreeEntry | null> {
  return git.findEntry(repositoryId, place.commitId, place.path)
}
