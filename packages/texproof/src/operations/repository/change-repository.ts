/** What an administrator of a repository may change of it; each is noted in the log. */
import type { GrantedPermission } from '../../domain/access.ts'
import type { Repository, User, Visibility } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { Store } from '../../store/store.ts'
import type { PushStores } from '../push/push-stores.ts'

interface Stores {
  readonly store: Store
  readonly git: GitStore
}

/** Who changes what. The caller has looked whether they may. */
export interface RepositoryChangeBy {
  readonly repository: Repository
  readonly actor: User
}

const maxDescriptionLength = 500

/** Changes what a repository says of itself in one line; false when the line is too long. */
export async function changeDescription(
  { store }: Stores,
  { repository }: RepositoryChangeBy,
  wanted: string,
): Promise<boolean> {
  const description = wanted.trim()
  if ([...description].length > maxDescriptionLength || /\p{Cc}/u.test(description)) return false
  await store.repositories.change(repository.id, { description: description === '' ? null : description })
  return true
}

/** Changes who may see a repository: everybody, or those who were let in. */
export async function changeVisibility(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  visibility: Visibility,
): Promise<void> {
  if (visibility === repository.visibility) return
  await store.repositories.change(repository.id, { visibility })
  await note(store, `repository-${visibility}`, { repository, actor })
}

/** Makes another branch the default one; false when there is no such branch. */
export async function changeDefaultBranch(
  { store, git, papers }: PushStores,
  { repository: { id }, actor }: RepositoryChangeBy,
  branch: string,
): Promise<boolean> {
  if ((await git.findBranch(id, branch)) === null) return false
  // Settling makes git follow the database, as after a crash in between.
  await papers.moveRefs({ repositoryId: id, userId: actor.id, updates: [] }, () =>
    store.repositories.change(id, { defaultBranch: branch }),
  )
  return true
}

/** Archives a repository, which can then be read and not written, or takes it out again. */
export async function setArchived(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  isArchived: boolean,
): Promise<void> {
  await store.repositories.change(repository.id, { isArchived })
  await note(store, isArchived ? 'repository-archived' : 'repository-unarchived', { repository, actor })
}

/** Lets somebody in; `unknown-user` when nobody has the name, `owner` when it is the owner, who has every right. */
export async function addCollaborator(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  { login, permission }: { readonly login: string; readonly permission: GrantedPermission },
): Promise<'added' | 'unknown-user' | 'owner'> {
  const user = await store.users.findByLogin(login)
  if (user === null || user.isDisabled) return 'unknown-user'
  if (user.id === repository.owner.id) return 'owner'
  await store.repositories.setCollaborator(repository.id, user.id, permission)
  await note(store, 'collaborator-added', { repository, actor }, user.login)
  return 'added'
}

/** Takes a right away again. */
export async function removeCollaborator(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  login: string,
): Promise<void> {
  const user = await store.users.findByLogin(login)
  if (user === null) return
  await store.repositories.removeCollaborator(repository.id, user.id)
  await note(store, 'collaborator-removed', { repository, actor }, user.login)
}

async function note(
  store: Store,
  kind: string,
  { repository, actor }: RepositoryChangeBy,
  about: string | null = null,
): Promise<void> {
  const name = `${repository.owner.login}/${repository.name}`
  const detail = about === null ? name : `${about} on ${name}`
  await store.events.add({ kind, userId: repository.owner.id, actorId: actor.id, detail })
}
