/**
 * Creates demo users and repositories. Two steps: `beginDemo` acquires the record, so that only one of two concurrent
 * requests continues; `fillDemo` creates everything. After a fault, it undoes what it created; after a crash, the next
 * `beginDemo` does.
 */
import type { Repository, User } from '../../domain/types.ts'
import type { ImportedCommit } from '../../git/types.ts'
import { newUserId } from '../../accounts/users/add-user.ts'
import { createRepository } from '../repository/create-repository.ts'
import { addDemoUsers } from './add-demo-users.ts'
import type { DemoUsers } from './add-demo-users.ts'
import type { DemoDeps } from './demo-deps.ts'
import { DemoTakenOver, findDemo, heldForMs, holdDemo } from './demo-record.ts'
import type { DemoHold } from './demo-record.ts'
import { readDemoRepositories } from './demo-repositories.ts'
import { demoUsers } from './demo-repository.ts'
import type { DemoCommit, DemoUser, DemoRepository } from './demo-repository.ts'
import { undoDemo } from './remove-demo.ts'

/** How the demo is created. */
export interface FillDemoOptions {
  /** Whether its users can sign in, with passwords that are returned. */
  readonly hasPasswords: boolean
  /** Stops between two repositories; a later process removes what was created. */
  readonly signal?: AbortSignal
  readonly onProgress?: (repository: Repository) => void
}

/** `busy` = the demo is being loaded or removed. */
export type BeginDemoOutcome =
  | { readonly kind: 'begun'; readonly hold: DemoHold }
  | { readonly kind: 'loaded-before' }
  | { readonly kind: 'busy' }

/** Acquires the record, and removes what an earlier attempt left unfinished. */
export async function beginDemo(deps: DemoDeps): Promise<BeginDemoOutcome> {
  const { store } = deps
  const found = await findDemo(store.settings)
  if (found?.state === 'loaded') return { kind: 'loaded-before' }
  if (found !== null && heldForMs(found) > 0) return { kind: 'busy' }
  const { userIds, repositoryIds, repositoryCount } = found ?? { userIds: [], repositoryIds: [], repositoryCount: 0 }
  const hold = await holdDemo(store.settings, found, {
    state: 'loading',
    userIds,
    repositoryIds,
    repositoryCount,
  })
  if (hold === null) return { kind: 'busy' }
  await undoDemo(deps, hold)
  const { length } = await readDemoRepositories()
  await hold.note({ userIds: demoUsers.map(() => newUserId()), repositoryIds: [], repositoryCount: length })
  return { kind: 'begun', hold }
}

/**
 * Creates alice, bob and their repositories, and queues the builds of every branch. Returns the passwords by login,
 * empty without `hasPasswords`.
 */
export async function fillDemo(
  deps: DemoDeps,
  hold: DemoHold,
  { hasPasswords, signal, onProgress }: FillDemoOptions,
): Promise<ReadonlyMap<string, string>> {
  try {
    const { userIds } = hold.record()
    const people = await addDemoUsers(deps.store, { userIds, hasPasswords })
    for (const wanted of await readDemoRepositories()) {
      signal?.throwIfAborted()
      const repository = await addRepository(deps, hold, { wanted, users: people.users })
      onProgress?.(repository)
    }
    await hold.note({ state: 'loaded' })
    return people.passwords
  } catch (error) {
    if (signal?.aborted === true) await hold.note({ notedAt: 0 })
    else if (!(error instanceof DemoTakenOver)) {
      await undoDemo(deps, hold)
      await hold.forget()
    }
    throw new Error('load demo', { cause: error })
  }
}

/** Creates one repository with its history, builds and access rights. */
async function addRepository(
  deps: DemoDeps,
  hold: DemoHold,
  { wanted, users }: { readonly wanted: DemoRepository; readonly users: DemoUsers['users'] },
): Promise<Repository> {
  const { store } = deps
  const repository = await createEmpty(deps, wanted, users[wanted.owner])
  try {
    await hold.note({ repositoryIds: [...hold.record().repositoryIds, repository.id] })
  } catch (error) {
    // The process that took over may have run before this repository existed.
    await deps.git.removeRepository(repository.id)
    await store.repositories.remove(repository.id)
    throw error
  }
  await importHistory(deps, wanted, repository)
  await hold.note({})
  await queueVersions(deps, hold, repository)
  if (wanted.isArchived === true) await store.repositories.change(repository.id, { isArchived: true })
  if (wanted.visibility === 'private') await store.repositories.setCollaborator(repository.id, users.bob.id, 'pull')
  if (wanted.name === 'tides') await store.repositories.addStar(repository.id, users.bob.id)
  return repository
}

async function createEmpty(deps: DemoDeps, wanted: DemoRepository, owner: User): Promise<Repository> {
  const { name, description, visibility } = wanted
  const details = { owner, name, description, visibility, firstCommit: null, authorEmail: '', projectUrl: '' }
  const outcome = await createRepository(deps, details)
  if (outcome.kind !== 'created') throw new Error(`create ${name}: ${outcome.kind}`)
  return outcome.repository
}

async function importHistory(
  { git, store }: DemoDeps,
  { commits, owner }: DemoRepository,
  { id }: Repository,
): Promise<void> {
  await git.importCommits(
    id,
    commits.map((commit) => toImported(commit, owner)),
  )
  // The import bypasses the push journal, which records the time of pushes.
  await store.repositories.touch(id)
  await git.maintain(id)
}

function toImported(commit: DemoCommit, owner: DemoUser): ImportedCommit {
  const { branch = 'main', from = 'main', author = owner, tag = null, message, hoursAgo, files } = commit
  return {
    branch,
    from: branch === 'main' ? null : from,
    message: `${message}\n`,
    tag,
    files: new Map([...files].map(([path, content]) => [path, Buffer.from(content)])),
    author: {
      name: author === 'alice' ? 'Alice' : 'Bob',
      email: `${author}@example.org`,
      at: Date.now() - hoursAgo * 3_600_000,
    },
  }
}

async function queueVersions({ git, papers }: DemoDeps, hold: DemoHold, repository: Repository): Promise<void> {
  const [branches, tags] = await Promise.all([git.listBranches(repository.id), git.listTags(repository.id)])
  const versions = [
    ...branches.map(({ name, commitId }) => ({ ref: `refs/heads/${name}`, commitId })),
    ...tags.map(({ name, commitId }) => ({ ref: `refs/tags/${name}`, commitId })),
  ]
  for (const version of versions) {
    await papers.queuePushedBranch({ repository, ...version })
    await hold.note({})
  }
}
