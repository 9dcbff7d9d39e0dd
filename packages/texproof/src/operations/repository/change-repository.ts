/** Changes that an administrator of a repository can make. Each is recorded in the audit log. */
import { accessNames } from '../../domain/access.ts'
import type { GrantedPermission } from '../../domain/access.ts'
import type { Repository, User, Visibility } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { Store } from '../../store/store.ts'
import type { PushStores } from '../push/push-stores.ts'

interface Stores {
  readonly store: Store
  readonly git: GitStore
}

/** The repository and the actor. The caller has checked the permission. */
export interface RepositoryChangeBy {
  readonly repository: Repository
  readonly actor: User
}

const maxDescriptionLength = 500

/** Changes the one-line description of a repository; false if it is too long. */
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

/** Changes the visibility of a repository: public, or private to its collaborators. */
export async function changeVisibility(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  visibility: Visibility,
): Promise<void> {
  if (visibility === repository.visibility) return
  await store.repositories.change(repository.id, { visibility })
  await note(store, `repository-${visibility}`, { repository, actor })
}

/** Changes the default branch; false if there is no such branch. */
export async function changeDefaultBranch(
  { store, git, papers }: PushStores,
  { repository: { id }, actor }: RepositoryChangeBy,
  branch: string,
): Promise<boolean> {
  if ((await git.findBranch(id, branch)) === null) return false
  // Post-receive updates git's HEAD from the database, as after a crash between the two writes.
  await papers.moveRefs({ repositoryId: id, userId: actor.id, updates: [] }, () =>
    store.repositories.change(id, { defaultBranch: branch }),
  )
  return true
}

/** Archives a repository, which is then read-only, or unarchives it. */
export async function setArchived(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  isArchived: boolean,
): Promise<void> {
  await store.repositories.change(repository.id, { isArchived })
  await note(store, isArchived ? 'repository-archived' : 'repository-unarchived', { repository, actor })
}

/** Makes a mirror an ordinary repository. */
export async function endMirror({ store }: Stores, { repository, actor }: RepositoryChangeBy): Promise<void> {
  await store.mirrors.remove(repository.id)
  await note(store, 'mirror-ended', { repository, actor })
}

/** Offers a repository as a template, or withdraws it, including from the gallery. */
export async function setTemplate(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  isTemplate: boolean,
): Promise<void> {
  if (isTemplate) await store.templates.offer(repository.id)
  else await store.templates.withdraw(repository.id)
  await note(store, isTemplate ? 'template-offered' : 'template-withdrawn', { repository, actor })
}

/** Adds a collaborator; `unknown-user` = there is no such user, `owner` = it is the owner, who has all permissions. */
export async function addCollaborator(
  { store }: Stores,
  { repository, actor }: RepositoryChangeBy,
  { login, permission }: { readonly login: string; readonly permission: GrantedPermission },
): Promise<'added' | 'unknown-user' | 'owner'> {
  const user = await store.users.findByLogin(login)
  if (user === null || user.isDisabled) return 'unknown-user'
  if (user.id === repository.owner.id) return 'owner'
  await store.repositories.setCollaborator(repository.id, user.id, permission)
  await note(store, 'collaborator-added', { repository, actor }, `${user.login} (${accessNames[permission]})`)
  return 'added'
}

/** Removes a collaborator. */
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
