/** `POST /{owner}/{repo}/draft/{branch}/{path}`: stores or discards the draft of a file, without a live connection. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { unifyLines } from '../../domain/text/source-text.ts'
import type { CloseReason, SharedDraft } from '../../live/rooms.ts'
import type { User } from '../../domain/types.ts'
import type { Deps } from '../../operations/deps.ts'
import { draftPlace, endDraft } from '../../operations/edit/drafts.ts'
import type { DraftKey } from '../../store/repositories/drafts.ts'
import { cookieName, cookieOptions } from '../session/cookies.ts'
import { readField } from '../session/form.ts'
import { sendDiscardDraftPage } from './editor/discard-draft-page.ts'
import { findEditLocation } from './find-edit-location.ts'
import type { EditLocation } from './find-edit-location.ts'

/** A random number of JavaScript. */
const ATTEMPT = /^[\d.e-]{1,40}$/
/** Lifetime of an attempt, as long as authors usually stay away from a file. */
const ATTEMPT_MAX_AGE_S = 90 * 24 * 60 * 60

/** Stores a draft and responds with its revision, or discards it and opens the file again. */
export async function postDraft(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const { user } = location.caller
  const key = draftKey(location)
  if (readField(c, 'act') === 'discard') {
    const others = await findOtherAuthors(deps, location)
    const confirmed = new Set(readField(c, 'confirmed').split(' '))
    if (others.some(({ id }) => !confirmed.has(id))) return sendDiscardDraftPage(c, location, others)
    await endDraft(deps, key, { draft: null, by: user.name ?? user.login })
    // The file or its branch may have been deleted.
    const file = await draftPlace(deps, key).readFile()
    return c.redirect(file === null ? repositoryPath(location.repository) : editPath(location), 303)
  }
  const epoch = readField(c, 'epoch')
  const outcome = await deps.rooms.replace(draftPlace(deps, key), {
    userId: user.id,
    text: unifyLines(readField(c, 'text')),
    baseRevision: readRevision(readField(c, 'draft')),
    ...(epoch === '' ? {} : { epoch }),
  })
  c.header('cache-control', 'no-store')
  switch (outcome.kind) {
    case 'saved':
      return c.json({ revision: outcome.revision })
    case 'conflict':
      return c.json(toConflict(outcome.draft), 409)
    case 'refused':
      return c.json({ problem: problemOf(outcome.reason) }, 422)
  }
}

/** Response to a conflict: the values that the browser needs to replace the draft. */
function toConflict(draft: SharedDraft | null) {
  return { text: draft?.text ?? null, revision: draft?.revision ?? 0, epoch: draft?.epoch ?? '' }
}

/** The other users who changed the draft since the last commit. */
async function findOtherAuthors(deps: Deps, location: EditLocation): Promise<readonly User[]> {
  const draft = await findDraft(deps, location)
  const ids = draft?.authors.map(({ userId }) => userId).filter((id) => id !== location.caller.user.id) ?? []
  const users = await Promise.all(ids.map((id) => deps.store.users.findById(id)))
  return users.filter((user) => user !== null)
}

/** The draft of the file; null = there is neither a draft nor a text. */
export function findDraft(deps: Deps, location: EditLocation): Promise<SharedDraft | null> {
  return deps.rooms.read(draftPlace(deps, draftKey(location)))
}

/** Ends the draft of a file that others had deleted, if a new file now has its text. */
export async function endDraftOfNewFile(deps: Deps, location: EditLocation, text: string): Promise<void> {
  const key = draftKey(location)
  const { user } = location.caller
  const stored = await deps.store.drafts.find(key)
  const draft = stored === null ? null : await findDraft(deps, location)
  if (draft?.text === text) await endDraft(deps, key, { draft, by: user.name ?? user.login })
}

/** 0 = there is no draft. */
export function readRevision(field: string): number {
  return /^\d{1,9}$/.test(field) ? Number(field) : 0
}

/** Keeps which attempt of the editor was committed: the browser then drops its copy of the text. */
export function rememberCommittedAttempt(c: Context): void {
  const attempt = readField(c, 'attempt')
  if (!ATTEMPT.test(attempt)) return
  setCookie(c, cookieName(c, 'committed'), attempt, { ...cookieOptions(c), maxAge: ATTEMPT_MAX_AGE_S })
}

/** The last attempt of this browser that was committed; `''` = none. */
export function readCommittedAttempt(c: Context): string {
  return getCookie(c, cookieName(c, 'committed')) ?? ''
}

/** Address to which the draft of a file is posted. */
export function draftPath({ repository, branch, path }: EditLocation): string {
  return `${repositoryPath(repository)}/draft/${encodePath(branch)}/${encodePath(path)}`
}

/** Address of the live connection of the editor, for this user only: another one may sign in while the page is open. */
export function livePath({ repository, branch, path, caller }: EditLocation): string {
  return `${repositoryPath(repository)}/live/${encodePath(branch)}/${encodePath(path)}?user=${caller.user.id}`
}

/** Which draft belongs to a file. */
export function draftKey({ repository, branch, path }: EditLocation): DraftKey {
  return { repositoryId: repository.id, branch, path }
}

function editPath({ repository, branch, path }: EditLocation): string {
  return `${repositoryPath(repository)}/edit/${encodePath(branch)}/${encodePath(path)}`
}

function problemOf(reason: CloseReason): string {
  return reason === 'too-long'
    ? 'The text is larger than 1 MB. Split the file.'
    : 'You have too many drafts. Commit or discard some of them.'
}
