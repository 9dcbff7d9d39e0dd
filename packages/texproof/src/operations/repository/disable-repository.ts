/**
 * Disables a repository without deleting it: only its administrators can see its contents and the reason. Pushes are
 * refused, and nothing is built. The API still lists it as disabled.
 */
import type { Repository } from '../../domain/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'

/** Maximum length in code points. */
const maxReasonLength = 500

/** The actor to record; null = the command line. */
interface By {
  readonly actorId: string | null
}

/**
 * Disables a repository, or changes the reason of a disabled one. False if the reason is not one line of at most 500
 * characters. It is shown to the owner.
 */
export async function disableRepository(
  store: Store,
  { repository, reason, actorId }: { readonly repository: Repository; readonly reason: string } & By,
): Promise<boolean> {
  const words = reason.trim()
  if (words === '' || [...words].length > maxReasonLength || /\p{Cc}/u.test(words)) return false
  await store.repositories.change(repository.id, { isDisabled: true, disabledReason: words })
  await note(store, 'repository-disabled', { repository, actorId, about: `: ${words}` })
  return true
}

/** Enables a repository, and queues cancelled builds again. Does nothing if it is not disabled. */
export async function enableRepository(
  { store, papers }: { readonly store: Store; readonly papers: Pick<Papers, 'reopen'> },
  { repository, actorId }: { readonly repository: Repository } & By,
): Promise<void> {
  if (!repository.isDisabled) return
  await papers.reopen(repository.id, async () => {
    await store.repositories.change(repository.id, { isDisabled: false, disabledReason: null })
    await note(store, 'repository-enabled', { repository, actorId, about: '' })
  })
}

/** Adds a template to the gallery of the host, or removes it; false if the repository is not a template. */
export async function setTemplateListed(
  store: Store,
  { repository, actorId, isListed }: { readonly repository: Repository; readonly isListed: boolean } & By,
): Promise<boolean> {
  if (!(await store.templates.setListed(repository.id, isListed))) return false
  await note(store, isListed ? 'template-listed' : 'template-unlisted', { repository, actorId, about: '' })
  return true
}

async function note(
  store: Store,
  kind: string,
  { repository, actorId, about }: { readonly repository: Repository; readonly about: string } & By,
): Promise<void> {
  const { owner, name } = repository
  await store.events.add({ kind, userId: owner.id, actorId, detail: `${owner.login}/${name}${about}` })
}
