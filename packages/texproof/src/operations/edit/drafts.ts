/**
 * Drafts: what a user has typed in the editor and not committed. They are stored with every pause in typing and removed
 * by a commit or explicitly, never otherwise. Only their author sees them, and only while allowed to write.
 */
import type { Repository } from '../../domain/types.ts'
import type { Draft, DraftChange, DraftSummary } from '../../store/repositories/drafts.ts'
import type { Store } from '../../store/store.ts'
import { findWritableRepository } from '../repository/find-writable-repository.ts'
import type { RepositoryRequest } from '../repository/find-readable-repository.ts'
import { maxEditedBytes } from './merge-edit.ts'

/** Drafts of one user at most. */
export const draftLimits = { count: 200, bytes: 20_000_000 } as const

/** Drafts on the home page at most. */
const MAX_LISTED = 10

/** `conflict` = the draft was changed elsewhere meanwhile. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly stored: Draft | null }
  | { readonly kind: 'refused'; readonly problem: string }

/** Stores a draft. It is on disk when this returns `saved`. */
export async function saveDraft({ drafts }: Pick<Store, 'drafts'>, change: DraftChange): Promise<SaveOutcome> {
  if (Buffer.byteLength(change.text) > maxEditedBytes)
    return { kind: 'refused', problem: 'The text is larger than 1 MB. Split the file.' }
  if (change.baseRevision === 0) {
    const { count, bytes } = await drafts.measure(change.userId)
    if (count >= draftLimits.count || bytes >= draftLimits.bytes)
      return { kind: 'refused', problem: 'You have too many drafts. Commit or discard some of them.' }
  }
  const revision = await drafts.save(change)
  if (revision !== null) return { kind: 'saved', revision }
  return { kind: 'conflict', stored: await drafts.find(change) }
}

/** A draft of a repository that its author may still write to. */
export interface ListedDraft {
  readonly draft: DraftSummary
  readonly repository: Repository
}

/** The newest drafts of a user, for the home page. */
export async function listDrafts(store: Store, caller: NonNullable<RepositoryRequest['caller']>) {
  const drafts = await store.drafts.listOfUser(caller.user.id, MAX_LISTED)
  const listed = await Promise.all(
    drafts.map(async (draft): Promise<ListedDraft[]> => {
      const found = await store.repositories.findById(draft.repositoryId)
      if (found === null) return []
      const writable = await findWritableRepository(store, { caller, owner: found.owner.login, name: found.name })
      return writable.kind === 'ok' ? [{ draft, repository: writable.repository }] : []
    }),
  )
  return listed.flat()
}
