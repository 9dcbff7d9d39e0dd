import { commitOnBranch } from './commit-on-branch.ts'
import type { CommitOutcome, CommitStores, CommitTarget } from './commit-on-branch.ts'
import { findFile } from './find-file.ts'

/** A file or folder to remove from a branch. */
export interface RemovedFile extends CommitTarget {
  readonly openedId: string
  readonly path: string
}

/** The outcome. `there` = the file is removed already. `changed` = the file changed since the user saw it. */
export type RemoveOutcome = CommitOutcome | RemoveStop

type RemoveStop = { readonly kind: 'there' } | { readonly kind: 'changed' }

/** Commits the removal of a file or folder that has not changed since the user saw it. */
export function removeFile(stores: CommitStores, removed: RemovedFile): Promise<RemoveOutcome> {
  const { repository, openedId, path } = removed
  const find = (commitId: string) => findFile(stores.git, repository.id, { commitId, path })
  return commitOnBranch<RemoveStop>(stores, removed, async (headId) => {
    const [seen, now] = await Promise.all([find(openedId), find(headId ?? openedId)])
    if (now === null) return { kind: 'there' }
    if (seen?.objectId !== now.objectId) return { kind: 'changed' }
    return { kind: 'changes', changes: [{ kind: 'remove', path }] }
  })
}
