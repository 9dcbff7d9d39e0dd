import type { Repository, User } from '../domain/types.ts'
import type { GitStore, RefUpdate } from '../git/types.ts'
import type { Papers, QueuedPush } from '../papers/types.ts'
import type { Store } from '../store/store.ts'

/** What the house keeps of repositories, and the joint that builds them. */
export interface PushStores {
  readonly store: Store
  readonly git: GitStore
  readonly papers: Pick<Papers, 'expectPush' | 'queuePushedBranch'>
}

const HEADS = 'refs/heads/'
const TAGS = 'refs/tags/'

/**
 * What the house does once refs have moved, by a push or in the browser: notes who moved them and when, chooses a
 * default branch if there is none yet, and queues the builds of the branches that moved and of the tags that are new.
 *
 * Looks at the refs themselves instead of at git's report: they are what the repository now is.
 */
export async function settlePush(
  stores: PushStores,
  repository: Repository,
  { updates, pusher }: { readonly updates: readonly RefUpdate[]; readonly pusher: User | null },
): Promise<readonly QueuedPush[]> {
  const { git, store, papers } = stores
  const moved = await findMoved(stores, repository, updates)
  if (moved.length === 0) return []
  if (pusher === null) await store.repositories.touch(repository.id)
  else await store.pushes.add({ repositoryId: repository.id, userId: pusher.id, moved })
  const current = await settleDefaultBranch(stores, repository, moved)
  const queued: QueuedPush[] = []
  for (const { ref, newCommitId } of moved) {
    if (newCommitId === null) continue
    const commitId = ref.startsWith(HEADS) ? newCommitId : await findTagged(stores, repository, ref)
    if (commitId !== null) queued.push(await papers.queuePushedBranch({ repository: current, ref, commitId }))
  }
  void git.maintain(repository.id)
  return queued
}

/** The updates that happened, each branch with the commit that it points to now. */
async function findMoved(
  { git }: PushStores,
  repository: Repository,
  updates: readonly RefUpdate[],
): Promise<RefUpdate[]> {
  const moved: RefUpdate[] = []
  for (const update of updates) {
    const { ref, newCommitId } = update
    if (ref.startsWith(HEADS)) {
      const now = await git.findBranch(repository.id, ref.slice(HEADS.length))
      if ((now?.commitId ?? null) === newCommitId) moved.push(update)
    } else if (ref.startsWith(TAGS)) {
      const now = await git.findTag(repository.id, ref.slice(TAGS.length))
      // An annotated tag's own id differs from the commit it names, so only its being there can be told.
      if ((now !== null) === (newCommitId !== null)) moved.push(update)
    }
  }
  return moved
}

async function findTagged({ git }: PushStores, { id }: Repository, ref: string): Promise<string | null> {
  return (await git.findTag(id, ref.slice(TAGS.length)))?.commitId ?? null
}

/** The first branch of an empty repository becomes the default, whatever its name. */
async function settleDefaultBranch(
  { git, store }: PushStores,
  repository: Repository,
  moved: readonly RefUpdate[],
): Promise<Repository> {
  if ((await git.findBranch(repository.id, repository.defaultBranch)) !== null) return repository
  const pushed = moved
    .filter(({ ref, newCommitId }) => ref.startsWith(HEADS) && newCommitId !== null)
    .map(({ ref }) => ref.slice(HEADS.length))
  const defaultBranch = ['main', 'master'].find((name) => pushed.includes(name)) ?? pushed[0]
  if (defaultBranch === undefined) return repository
  await git.setDefaultBranch(repository.id, defaultBranch)
  await store.repositories.change(repository.id, { defaultBranch })
  return { ...repository, defaultBranch }
}
