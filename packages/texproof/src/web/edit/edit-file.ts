/** `/{owner}/{repo}/edit/{branch}/{path}`: edits a text, renames or moves it. */
import { posix } from 'node:path'

import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { readSourceText } from '../../domain/text/source-text.ts'
import { editFile } from '../../operations/edit/edit-file.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { maxEditedBytes } from '../../operations/edit/merge-edit.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Draft } from '../../store/repositories/drafts.ts'
import { NotFound } from '../session/errors.ts'
import { sendAddFilesPage } from './add-files-page.ts'
import { resolveConflict, sendConflict } from './conflict.ts'
import { returnHref, sendEditPage } from './edit-page.ts'
import { findDraft, removeCommittedDraft } from './draft.ts'
import { findEditLocation } from './find-edit-location.ts'
import type { EditLocation } from './find-edit-location.ts'
import { sendNotEditable } from './not-editable.ts'
import {
  commitTarget,
  committedBranch,
  newCommitForm,
  originOfAddress,
  readEditForm,
  toFieldProblems,
} from './read-edit-form.ts'
import type { EditForm } from './read-edit-form.ts'

/** The text field, with the problem on the requested line. */
export async function showEdit(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const { repository, branch, headId, path } = location
  const file = headId === null ? null : await findFile(deps.git, repository.id, { commitId: headId, path })
  const draft = await findDraft(deps, location)
  if ((headId === null || file === null) && draft !== null) return sendDraftOfMissingFile(c, deps, { location, draft })
  if (headId === null || file === null) throw new NotFound(`${branch} has no file ${path}.`)
  if (file.kind === 'folder')
    return c.redirect(`${repositoryPath(repository)}/tree/${encodePath(branch)}/${encodePath(path)}`)
  if (/[\r\n]/.test(path)) return sendNotEditable(c, location, 'name')
  if (file.kind === 'symlink' || file.kind === 'submodule') return sendNotEditable(c, location, file.kind)
  const bytes = await deps.git.readBlob(repository.id, file.objectId, { maxBytes: maxEditedBytes })
  const text = bytes === null ? null : readSourceText(bytes)
  if (text === null) return sendNotEditable(c, location, bytes === null ? 'too-large' : 'no-text')
  const branches = await deps.git.listBranches(repository.id)
  const commit = newCommitForm(messageOfEdit(path), { login: location.caller.user.login, branches })
  const form = { newPath: path, commit, origin: originOfAddress(c), answers: null }
  if (draft === null)
    return sendEditPage(c, deps, { location, form: { ...form, openedId: headId, draftRevision: 0, text } })
  const drafted = { ...form, openedId: draft.openedId, draftRevision: draft.revision, text: draft.text }
  return sendEditPage(c, deps, { location, form: drafted, draftAt: draft.updatedAt })
}

/** The file was deleted after the draft was written: its text can be committed as a new file. */
async function sendDraftOfMissingFile(
  c: Context,
  deps: Deps,
  { location, draft }: { readonly location: EditLocation; readonly draft: Draft },
): Promise<Response> {
  const branches = await deps.git.listBranches(location.repository.id)
  const commit = newCommitForm(`Add ${draft.path}`, { login: location.caller.user.login, branches })
  return sendAddFilesPage(c, deps, {
    location,
    newFile: { path: draft.path, text: draft.text, commit },
    problems: {
      form: `"${draft.path}" is no longer on ${draft.branch}. Your draft is below: commit it as a new file.`,
    },
  })
}

/** Commits the text, or shows the form again with the problem. */
export async function postEdit(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const form = readEditForm(c, location)
  if (form.answers === null) return commitEdit(c, deps, { location, form })
  const resolution = await resolveConflict(deps, location, { ...form, answers: form.answers })
  if (resolution === null) return commitEdit(c, deps, { location, form: { ...form, answers: null } })
  if (resolution.kind === 'open') return sendConflict(c, deps, { location, form, ...resolution })
  const resolved = { ...form, openedId: resolution.headId, text: resolution.text }
  if (resolution.kind === 'review') return sendEditPage(c, deps, { location, form: resolved })
  return commitEdit(c, deps, { location, form: resolved })
}

interface SentEdit {
  readonly location: EditLocation
  readonly form: EditForm
}

async function commitEdit(c: Context, deps: Deps, { location, form }: SentEdit): Promise<Response> {
  const { path } = location
  const { newPath, openedId, text, commit } = form
  const isRenamed = newPath !== path
  const isDefault = isRenamed && commit.message === messageOfEdit(path)
  const outcome = await editFile(deps, {
    ...commitTarget(location, isDefault ? { ...commit, message: '' } : commit, {
      openedId,
      defaultMessage: isRenamed ? `Rename ${path} to ${newPath}` : messageOfEdit(path),
    }),
    openedId,
    path,
    newPath,
    text,
  })
  if (outcome.kind === 'committed' || outcome.kind === 'there') await removeCommittedDraft(deps, location, form)
  switch (outcome.kind) {
    case 'committed': {
      const isMerged = await hasOtherParent(deps.git, location, { openedId, commitId: outcome.commitId })
      return redirectBack(c, { location, form, after: isMerged ? 'joined' : 'commit' })
    }
    case 'there':
      return redirectBack(c, { location, form, after: 'commit' })
    case 'unchanged':
      await removeCommittedDraft(deps, location, form)
      if (form.answers !== null) return redirectBack(c, { location, form, after: 'kept' })
      return sendEditPage(c, deps, { location, form, problems: { text: 'There are no changes to commit.' } })
    case 'conflict':
      return sendConflict(c, deps, { location, form, ...outcome, problem: null })
    case 'gone':
      return sendAddFilesPage(c, deps, {
        location: { ...location, headId: outcome.headId },
        newFile: { path: newPath, text, commit },
        problems: {
          form: `"${location.path}" was deleted or replaced while you were editing. Your text is below: commit it as a new file, or leave the page.`,
        },
      })
    case 'refused':
      return sendEditPage(c, deps, { location, form, problems: toFieldProblems(outcome) })
  }
}

/** Whether another push preceded the commit. */
async function hasOtherParent(
  git: Deps['git'],
  { repository }: EditLocation,
  { openedId, commitId }: { readonly openedId: string; readonly commitId: string },
): Promise<boolean> {
  const commit = await git.findCommit(repository.id, commitId)
  return commit !== null && commit.parentIds[0] !== openedId
}

function redirectBack(
  c: Context,
  { location, form, after }: SentEdit & { readonly after: 'commit' | 'joined' | 'kept' },
): Response {
  const { commit, newPath, origin } = form
  const href = returnHref(location, { branch: committedBranch(location, commit), path: newPath, origin })
  if (origin.isFromPdf) return c.redirect(href, 303)
  return c.redirect(`${href}?after=${after}${origin.line === null ? '' : `#L${origin.line}`}`, 303)
}

/** `Edit intro.tex`: the default message. */
function messageOfEdit(path: string): string {
  return `Edit ${posix.basename(path)}`
}
