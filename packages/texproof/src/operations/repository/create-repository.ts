/**
 * Creates a repository atomically: first an invisible row, which reserves the name, then the git directory, then the
 * row becomes visible. A crash in between leaves an invisible row, whose lease is no longer renewed and expires; the next
 * creation with that name removes it. A name counts as taken only once its repository is complete.
 */
import { access } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { whenAbsent } from '../../base/absent.ts'
import { ClientDisconnected, clientSignal } from '../../base/client-signal.ts'
import { authorName } from '../../domain/git/author-name.ts'
import type { Repository, User, Visibility } from '../../domain/types.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { Config } from '../../config/read-config.ts'
import { RepositoryInPlace } from '../../git/admin/create-repository.ts'
import type { InitialCommit } from '../../git/types.ts'
import { findQuotas } from '../../accounts/users/find-quotas.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import { fillLicense } from '../../templates/fill-license.ts'
import { gitignoreTemplates, licenseTemplates } from '../../templates/template-catalog.ts'
import {
  holdLease,
  removeUnfinishedRepository,
  removeUnfinishedRepositories,
  type UnfinishedStores,
} from './remove-unfinished.ts'

/** Files of the first commit besides the README. */
export interface FirstCommit {
  readonly gitignore: string | null
  readonly license: string | null
  /** File name → text, in the root folder. */
  readonly files?: ReadonlyMap<string, string>
}

/** The repository to create and its owner. */
export interface RepositoryDetails {
  readonly owner: User
  readonly name: string
  readonly description: string | null
  readonly visibility: Visibility
  /** Templates and files for a first commit with a README; null = the repository stays empty. */
  readonly firstCommit: FirstCommit | null
  /** Author email of the first commit. */
  readonly authorEmail: string
  /** URL in licenses that name the project's page. */
  readonly projectUrl: string
}

/** The new repository, or why it was not created. */
export type CreateRepositoryOutcome =
  | { readonly kind: 'created'; readonly repository: Repository }
  | { readonly kind: 'name-taken' }
  | { readonly kind: 'over-quota'; readonly limit: number }

interface Stores extends UnfinishedStores {
  /** Absent = no quota: repositories that the host creates itself. */
  readonly config?: Pick<Config, 'quotas'>
}

/** The branch of a first commit. */
export const defaultBranch = 'main'
const pauseMs = 20

/** The last step, while the repository is still invisible. It must call `markReady`. */
export type FinishRepository = (repositoryId: number, markReady: () => Promise<Repository>) => Promise<Repository>

/**
 * Creates a repository.
 *
 * @throws ClientDisconnected while it waits for another creation with the same name.
 */
export async function createRepository(
  stores: Stores,
  details: RepositoryDetails,
  { finish = (_id, markReady) => markReady() }: { readonly finish?: FinishRepository } = {},
): Promise<CreateRepositoryOutcome> {
  const initialCommit = details.firstCommit === null ? null : await composeFirstCommit(details, details.firstCommit)
  const reserved = await reserveName(stores, details)
  if (reserved.kind !== 'reserved') return reserved
  const { id } = reserved
  const lease = holdLease(stores, id)
  let hasOwnFolder = false
  try {
    await stores.git.createRepository(id, { defaultBranch, initialCommit })
    hasOwnFolder = true
    return { kind: 'created', repository: await finish(id, () => stores.store.repositories.markReady(id)) }
  } catch (error) {
    const isMade = hasOwnFolder || error instanceof RepositoryInPlace
    await (isMade ? removeAfterFailure(stores, id) : removeRow(stores, id))
    throw new Error('create repository', { cause: error })
  } finally {
    lease.end()
  }
}

/** A new invisible row, or why there is none. */
type Reservation =
  | { readonly kind: 'reserved'; readonly id: number }
  | Exclude<CreateRepositoryOutcome, { readonly kind: 'created' }>

/** One at a time for each owner: of several at the limit, the first ones are admitted instead of none. */
const reservations = createLimiter({ atOncePerKey: 1 })

async function reserveName(stores: Stores, details: RepositoryDetails): Promise<Reservation> {
  const { owner, name } = details
  for (;;) {
    const reservation = await reservations.run(owner.id, () => reserveUnlessUsed(stores, details))
    if (reservation !== null) return reservation
    if ((await stores.store.repositories.findByName(owner.login, name)) !== null) return { kind: 'name-taken' }
    if (clientSignal()?.aborted === true) throw new ClientDisconnected()
    // Another creation is in progress or has crashed: wait until the outcome is known.
    await sleep(pauseMs)
    await removeUnfinishedRepositories(stores)
  }
}

/** Null if a repository, visible or not, has the name. */
async function reserveUnlessUsed(stores: Stores, details: RepositoryDetails): Promise<Reservation | null> {
  const id = await addRow(stores, details)
  if (id === null) return null
  try {
    const limit = await findExceededLimit(stores, details.owner)
    if (limit === null) return { kind: 'reserved', id }
    await stores.store.repositories.remove(id)
    return { kind: 'over-quota', limit }
  } catch (error) {
    await removeRow(stores, id)
    throw new Error('reserve the name of a repository', { cause: error })
  }
}

/** The id of a new invisible row; null if the name is in use. */
async function addRow(stores: Stores, details: RepositoryDetails): Promise<number | null> {
  const { owner, name, description, visibility } = details
  try {
    const row = { owner, name, description, visibility, defaultBranch }
    return await stores.store.repositories.addUnfinished(row, (id) => hasFolder(stores, id))
  } catch (error) {
    if (error instanceof UniqueViolation) return null // the name is in use
    throw error
  }
}

/**
 * Whether a folder has the id of a new row. Its repository has no row if the database is a copy from before its creation,
 * or belongs to another host.
 */
function hasFolder({ git }: Stores, id: number): Promise<boolean> {
  return access(git.gitDir(id)).then(() => true, whenAbsent(false))
}

/**
 * Removes the row of a repository whose folder was not created: a folder with this id belongs to another repository.
 */
async function removeRow({ store }: Stores, id: number): Promise<void> {
  await store.repositories.remove(id).catch(() => {}) // If the database failed, a later sweep removes it.
}

async function removeAfterFailure(stores: Stores, id: number): Promise<void> {
  await removeUnfinishedRepository(stores, id).catch(() => false) // If the database failed, a later sweep removes it.
}

/**
 * The count includes the new row, so creations on several servers cannot exceed the limit. Returns null if the count is
 * within it.
 */
async function findExceededLimit({ store, config }: Stores, owner: User): Promise<number | null> {
  if (config === undefined) return null
  const [{ repositories }, { repositoryCount }] = await Promise.all([
    findQuotas({ config, store }, owner.id),
    store.quotas.measureOwned(owner.id),
  ])
  return repositoryCount > repositories ? repositories : null
}

async function composeFirstCommit(details: RepositoryDetails, templates: FirstCommit): Promise<InitialCommit> {
  const fullName = details.owner.name ?? details.owner.login
  const files = new Map([['README.md', `# ${details.name}\n`], ...(templates.files ?? [])])
  const gitignore = templates.gitignore === null ? null : await gitignoreTemplates.read(templates.gitignore)
  if (gitignore !== null) files.set('.gitignore', gitignore)
  const license = templates.license === null ? null : await licenseTemplates.read(templates.license)
  if (license !== null) {
    const { name: project, authorEmail: email, projectUrl } = details
    files.set(
      'LICENSE',
      fillLicense(license, { year: new Date().getUTCFullYear(), fullName, email, project, projectUrl }),
    )
  }
  return {
    files: new Map([...files].map(([path, text]) => [path, Buffer.from(text)])),
    author: { name: authorName(details.owner), email: details.authorEmail, at: Math.floor(Date.now() / 1_000) * 1_000 },
    message: 'Initial commit',
  }
}
