/** `POST /{owner}/{repo}/draft/{branch}/{path}`: stores or discards the draft of a file, for the script of the editor. */
import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { unifyLines } from '../../domain/text/source-text.ts'
import { saveDraft } from '../../operations/edit/drafts.ts'
import type { Draft, DraftKey } from '../../store/repositories/drafts.ts'
import { readField } from '../session/form.ts'
import { findEditLocation } from './find-edit-location.ts'
import type { EditLocation } from './find-edit-location.ts'

/** Stores a draft and responds with its revision, or discards it and opens the file again. */
export async function postDraft(c: Context, deps: Deps): Promise<Response> {
  const { store } = deps
  const location = await findEditLocation(c, deps)
  const key = draftKey(location)
  if (readField(c, 'act') === 'discard') {
    await store.drafts.remove(key)
    return c.redirect(editPath(location), 303)
  }
  const outcome = await saveDraft(store, {
    ...key,
    text: unifyLines(readField(c, 'text')),
    openedId: readField(c, 'opened'),
    baseRevision: readRevision(readField(c, 'draft')),
  })
  c.header('cache-control', 'no-store')
  switch (outcome.kind) {
    case 'saved':
      return c.json({ revision: outcome.revision })
    case 'conflict':
      return c.json({ text: outcome.stored?.text ?? null, revision: outcome.stored?.revision ?? 0 }, 409)
    case 'refused':
      return c.json({ problem: outcome.problem }, 422)
  }
}

/** The viewer's draft of the file; null = none. */
export function findDraft({ store }: Pick<Deps, 'store'>, location: EditLocation): Promise<Draft | null> {
  return store.drafts.find(draftKey(location))
}

/** Removes the draft that a commit contains. A draft that was changed in another window since is kept. */
export async function removeCommittedDraft(
  { store }: Pick<Deps, 'store'>,
  location: EditLocation,
  { draftRevision, text }: { readonly draftRevision: number; readonly text: string },
): Promise<void> {
  const draft = await findDraft({ store }, location)
  if (draft !== null && (draft.text === text || draft.revision <= draftRevision))
    await store.drafts.remove(draftKey(location), draft.revision)
}

/** 0 = there is no draft. */
export function readRevision(field: string): number {
  return /^\d{1,9}$/.test(field) ? Number(field) : 0
}

/** Where the draft of a file is posted. */
export function draftPath({ repository, branch, path }: EditLocation): string {
  return `${repositoryPath(repository)}/draft/${encodePath(branch)}/${encodePath(path)}`
}

function editPath({ repository, branch, path }: EditLocation): string {
  return `${repositoryPath(repository)}/edit/${encodePath(branch)}/${encodePath(path)}`
}

function draftKey({ repository, caller, branch, path }: EditLocation): DraftKey {
  return { userId: caller.user.id, repositoryId: repository.id, branch, path }
}
