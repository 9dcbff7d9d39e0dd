/**
 * Fills an instance with people and papers to look at, and takes them away again. What was made is remembered by its
 * ids, so that cleaning touches nothing that somebody else has made, whatever it is called.
 */
import { makeSecretText } from '../operations/secret-text.ts'
import type { Deps } from '../deps.ts'
import type { Repository, User } from '../domain/types.ts'
import type { ImportedCommit } from '../git/types.ts'
import { addUser } from '../operations/add-user.ts'
import { createRepository } from '../operations/create-repository.ts'
import type { DemoCommit, DemoPerson, DemoRepository } from './demo-repository.ts'
import { readDemoRepositories } from './demo-repositories.ts'

type DemoDeps = Pick<Deps, 'config' | 'git' | 'papers' | 'store'>

/** Where the ids are kept among the settings of the host. */
const setting = 'demo'

/** What was made; `kind: 'name-taken'` = somebody else has the name of one of its people, and nothing was made. */
export type LoadDemoOutcome =
  | { readonly kind: 'loaded'; readonly passwords: ReadonlyMap<DemoPerson, string> }
  | { readonly kind: 'loaded-before' }
  | { readonly kind: 'name-taken'; readonly login: DemoPerson }

/** Makes alice, bob and their papers, and queues the builds of every branch. On an empty host alice administers it. */
export async function loadDemo(
  deps: DemoDeps,
  onProgress: (repository: Repository) => Promise<void> = async () => {},
): Promise<LoadDemoOutcome> {
  const { store } = deps
  if ((await store.settings.find(setting)) !== null) return { kind: 'loaded-before' }
  for (const login of ['alice', 'bob'] as const)
    if ((await store.users.findByLogin(login)) !== null) return { kind: 'name-taken', login }
  const isFirst = (await store.users.count()) === 0
  const people = {
    alice: await addPerson(deps, { login: 'alice', name: 'Alice', isAdmin: isFirst }),
    bob: await addPerson(deps, { login: 'bob', name: 'Bob', isAdmin: false }),
  }
  const repositoryIds: number[] = []
  const remember = (): Promise<void> =>
    store.settings.set(setting, JSON.stringify({ userIds: [people.alice.user.id, people.bob.user.id], repositoryIds }))
  await remember()
  for (const wanted of await readDemoRepositories()) {
    const repository = await addRepository(deps, wanted, people[wanted.owner].user)
    repositoryIds.push(repository.id)
    await remember()
    await importHistory(deps, wanted, repository)
    await queueVersions(deps, repository)
    if (wanted.isArchived === true) await store.repositories.change(repository.id, { isArchived: true })
    if (wanted.visibility === 'private')
      await store.repositories.setCollaborator(repository.id, people.bob.user.id, 'pull')
    if (wanted.name === 'tides') await store.repositories.addStar(repository.id, people.bob.user.id)
    await onProgress(repository)
  }
  const passwords = new Map([
    ['alice', people.alice.password],
    ['bob', people.bob.password],
  ] as const)
  return { kind: 'loaded', passwords }
}

/** Removes what `loadDemo` made, and nothing else: its people stay where they own more. False without a demonstration. */
export async function cleanDemo({ git, store }: Pick<DemoDeps, 'git' | 'store'>): Promise<boolean> {
  const text = await store.settings.find(setting)
  if (text === null) return false
  const { userIds, repositoryIds } = JSON.parse(text) as DemoIds
  for (const id of repositoryIds) {
    await git.removeRepository(id)
    await store.repositories.remove(id)
  }
  for (const id of userIds) await store.users.removeWithoutRepositories(id)
  await store.settings.remove(setting)
  return true
}

interface DemoIds {
  readonly userIds: readonly string[]
  readonly repositoryIds: readonly number[]
}

async function addPerson(
  { store }: DemoDeps,
  person: { readonly login: DemoPerson; readonly name: string; readonly isAdmin: boolean },
): Promise<{ readonly user: User; readonly password: string }> {
  const password = makeSecretText().slice(0, 16)
  const outcome = await addUser(store, { ...person, password })
  if (outcome.kind === 'refused') throw new Error(`load demo: ${outcome.reason}`)
  return { user: outcome.user, password }
}

async function addRepository(deps: DemoDeps, wanted: DemoRepository, owner: User): Promise<Repository> {
  const { name, description, visibility } = wanted
  const details = { owner, name, description, visibility, firstCommit: null, authorEmail: '', projectUrl: '' }
  const outcome = await createRepository(deps, details)
  if (outcome.kind === 'name-taken') throw new Error(`load demo: ${name} exists`)
  return outcome.repository
}

async function importHistory({ git }: DemoDeps, { commits, owner }: DemoRepository, { id }: Repository): Promise<void> {
  await git.importCommits(
    id,
    commits.map((commit) => toImported(commit, owner)),
  )
  await git.maintain(id)
}

function toImported(commit: DemoCommit, owner: DemoPerson): ImportedCommit {
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

async function queueVersions({ git, papers }: DemoDeps, repository: Repository): Promise<void> {
  for (const { name, commitId } of await git.listBranches(repository.id))
    await papers.queuePushedBranch({ repository, ref: `refs/heads/${name}`, commitId })
  for (const { name, commitId } of await git.listTags(repository.id))
    await papers.queuePushedBranch({ repository, ref: `refs/tags/${name}`, commitId })
}
