import type { Deps } from '../../operations/deps.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { Push } from '../../store/repositories/pushes.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { unlessDamaged } from '../shell/repository/unless-damaged.ts'

/** A push of another user to a repository of the viewer. */
export interface Activity {
  readonly repository: Repository
  readonly push: Push
  /** First line of the message of the commit that the ref points to now; null if the ref was deleted, or its commit is damaged. */
  readonly subject: string | null
}

/** Pushes examined: several to one branch count as the newest. */
const LOOKED_AT = 60
const LISTED = 6

/** Pushes of other users to these repositories, the newest first, one for each branch. */
export async function findActivity(
  { store, git, log }: Pick<Deps, 'store' | 'git' | 'log'>,
  { user, repositories }: { readonly user: User; readonly repositories: readonly Repository[] },
): Promise<readonly Activity[]> {
  const byId = new Map(repositories.map((repository) => [repository.id, repository]))
  const pushes = await store.pushes.listByOthers([...byId.keys()], { userId: user.id, limit: LOOKED_AT })
  const newest = new Map<string, Push>()
  for (const push of pushes) {
    const key = `${push.repositoryId} ${push.login} ${push.ref}`
    if (!newest.has(key)) newest.set(key, push)
  }
  const told = await Promise.all(
    [...newest.values()].slice(0, LISTED).map(async (push): Promise<readonly Activity[]> => {
      const repository = byId.get(push.repositoryId)
      if (repository === undefined) return []
      const { newCommitId } = push
      const findCommit = async () => (newCommitId === null ? null : git.findCommit(repository.id, newCommitId))
      const commit = await unlessDamaged(findCommit, { log, repository, fallback: null })
      return [{ repository, push, subject: commit && commitSubject(commit.message) }]
    }),
  )
  return told.flat()
}
