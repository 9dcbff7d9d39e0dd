import { commitOnBranch } from '../edit/commit-on-branch.ts'
import type { CommitOutcome, CommitStores, CommitTarget } from '../edit/commit-on-branch.ts'
import { checkFileLocation } from '../edit/check-file-location.ts'
import { toFileChanges } from './to-file-changes.ts'

/** A file, a folder or the whole project as it was at a commit. */
export interface RestoredVersion extends CommitTarget {
  readonly openedId: string
  readonly versionId: string
  /** `''` = the whole project. */
  readonly path: string
}

/**
 * The outcome. `there` = the branch has this version already. `changed` = the branch changed below the path since the user
 * saw what will be replaced. `too-large` = too many files differ.
 */
export type RestoreOutcome = CommitOutcome | RestoreStop

type RestoreStop = { readonly kind: 'there' } | { readonly kind: 'changed' } | { readonly kind: 'too-large' }

/** Commits an earlier version to a branch. Files that the version does not have are removed. */
export function restoreVersion(stores: CommitStores, restored: RestoredVersion): Promise<RestoreOutcome> {
  const { git } = stores
  const { repository, openedId, versionId, path } = restored
  return commitOnBranch<RestoreStop | CommitOutcome>(stores, restored, async (headId) => {
    const commitId = headId ?? openedId
    const changed = await git.listChanges(repository.id, { fromCommitId: commitId, toCommitId: versionId, path })
    if (changed === null) return { kind: 'too-large' }
    if (changed.length === 0) return { kind: 'there' }
    if (await hasChangedSince(stores, restored, commitId)) return { kind: 'changed' }
    // On the branch, one of its folders may be a file now, which git would replace.
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : null
    const place =
      above === null
        ? null
        : await checkFileLocation(git, { repositoryId: repository.id, commitId, path: `${above}/${UNUSED_NAME}` })
    if (place?.kind === 'refused')
      return { kind: 'refused', field: null, problem: `"${path}" has no place on the branch: ${place.problem}` }
    return { kind: 'changes', changes: toFileChanges(changed.map(({ path, after }) => ({ path, item: after }))) }
  })
}

/** Whether others changed the path since the page was opened; true if too much differs to tell. */
async function hasChangedSince(
  { git }: CommitStores,
  { repository, openedId, path }: RestoredVersion,
  commitId: string,
): Promise<boolean> {
  if (commitId === openedId) return false
  const pushed = await git.listChanges(repository.id, { fromCommitId: openedId, toCommitId: commitId, path })
  return pushed === null || pushed.length > 0
}

/** Placeholder file name: only the folders above it are checked. */
const UNUSED_NAME = 'restored'
