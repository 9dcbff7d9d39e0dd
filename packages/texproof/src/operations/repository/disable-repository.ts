/**
 * Taking a repository off the host without losing it: only its own administrators still see what is in it, and why it
 * was taken off; nobody pushes to it and nothing of it is built. The API goes on telling that it is there and disabled.
 */
import type { Repository } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Code points of a reason. */
const maxReasonLength = 500

/** Whom to note; null = the command line. */
interface By {
  readonly actorId: string | null
}

/**
 * Disables a repository, or gives one that is disabled another reason. False when the reason is none: it is shown to
 * the owner, in one line of at most 500 characters.
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

/** Gives a repository back as it was. Enabling one that is not disabled does nothing. */
export async function enableRepository(
  store: Store,
  { repository, actorId }: { readonly repository: Repository } & By,
): Promise<void> {
  if (!repository.isDisabled) return
  await store.repositories.change(repository.id, { isDisabled: false, disabledReason: null })
  await note(store, 'repository-enabled', { repository, actorId, about: '' })
}

async function note(
  store: Store,
  kind: string,
  { repository, actorId, about }: { readonly repository: Repository; readonly about: string } & By,
): Promise<void> {
  const { owner, name } = repository
  await store.events.add({ kind, userId: owner.id, actorId, detail: `${owner.login}/${name}${about}` })
}
