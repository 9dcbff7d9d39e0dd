/** `/{owner}/{repo}/edit/{branch}/{path}`: a text is mended in the browser, renamed or moved. */
import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { readSourceText, unifyLines } from '../../domain/text/source-text.ts'
import { editFile } from '../../operations/edit/edit-file.ts'
import type { EditOutcome } from '../../operations/edit/edit-file.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { maxEditedBytes } from '../../operations/edit/merge-edit.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { readField } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { newCommitForm, readCommitForm } from './commit-fields.ts'
import { findEditPlace } from './find-edit-place.ts'
import type { EditPlace } from './find-edit-place.ts'
import { sendAddForms } from './add-forms.ts'
import { readResolution, sendConflict } from './conflict.ts'
import { backHref, sendEditForm, usualMessage, wayOfAddress, wayOfForm } from './edit-form.ts'
import type { EditForm } from './edit-form.ts'
import { sendNotEdited } from './not-edited.ts'

/** The text in its field, with the note on the line that was asked for. */
export async function showEdit(c: Context, deps: Deps): Promise<Response> {
  const place = await findEditPlace(c, deps)
  const { repository, branch, headId, path } = place
  const file = headId === null ? null : await findFile(deps.git, repository.id, { commitId: headId, path })
  if (headId === null || file === null) throw new NotFound(`${branch} has no file ${path}.`)
  if (file.kind === 'folder')
    return c.redirect(`${repositoryPath(repository)}/tree/${encodePath(branch)}/${encodePath(path)}`)
  if (/[\r\n]/.test(path)) return sendNotEdited(c, place, 'name')
  if (file.kind === 'symlink' || file.kind === 'submodule') return sendNotEdited(c, place, file.kind)
  const bytes = await deps.git.readBlob(repository.id, file.objectId, { maxBytes: maxEditedBytes })
  const text = bytes === null ? null : readSourceText(bytes)
  if (text === null) return sendNotEdited(c, place, bytes === null ? 'too-large' : 'no-text')
  const branches = await deps.git.listBranches(repository.id)
  const commit = newCommitForm(usualMessage(path), { login: place.caller.user.login, branches })
  return sendEditForm(c, deps, { place, form: { openedId: headId, text, newPath: path, commit, way: wayOfAddress(c) } })
}

/** Commits what was typed, or gives it back with what stands in its way. */
export async function postEdit(c: Context, deps: Deps): Promise<Response> {
  const place = await findEditPlace(c, deps)
  const form = await readEditForm(c, place)
  const resolution = await readResolution(c, deps, { place, form })
  if (resolution === null) return commitEdit(c, deps, { place, form })
  if (resolution.kind === 'open') return sendConflict(c, deps, { place, form, ...resolution })
  const resolved = { ...form, openedId: resolution.headId, text: resolution.text }
  if (resolution.kind === 'look') return sendEditForm(c, deps, { place, form: resolved })
  return commitEdit(c, deps, { place, form: resolved, isResolved: true })
}

interface SentEdit {
  readonly place: EditPlace
  readonly form: EditForm
  /** Whether it is the answer to a conflict. */
  readonly isResolved?: boolean
}

async function commitEdit(c: Context, deps: Deps, sent: SentEdit): Promise<Response> {
  const { place, form } = sent
  const { repository, caller, branch, path } = place
  const { openedId, text, newPath, commit } = form
  const isRenamed = newPath !== path
  const usual = isRenamed ? `Rename ${path} to ${newPath}` : usualMessage(path)
  const isUsual = commit.message === '' || (isRenamed && commit.message === usualMessage(path))
  const outcome = await editFile(deps, {
    repository,
    caller,
    branch,
    newBranch: commit.to === 'new' ? commit.newBranch : null,
    openedId,
    message: isUsual ? usual : commit.message,
    path,
    newPath,
    text,
  })
  return answerEdit(c, deps, { ...sent, outcome })
}

async function answerEdit(
  c: Context,
  deps: Deps,
  { place, form, outcome, isResolved = false }: SentEdit & { readonly outcome: EditOutcome },
): Promise<Response> {
  switch (outcome.kind) {
    case 'committed':
      return leadBack(c, {
        place,
        form,
        after: (await isJoined(deps, place, form, outcome.commitId)) ? 'joined' : 'commit',
      })
    case 'there':
      return leadBack(c, { place, form, after: 'commit' })
    case 'unchanged':
      if (isResolved) return leadBack(c, { place, form, after: 'kept' })
      return sendEditForm(c, deps, { place, form, problems: { text: 'Nothing changed: the text is as it was.' } })
    case 'conflict':
      return sendConflict(c, deps, { place, form, ...outcome, problem: null })
    case 'gone':
      return sendAddForms(c, deps, {
        place: { ...place, headId: outcome.headId },
        newFile: { path: form.newPath, text: form.text, commit: form.commit },
        problems: {
          form: `"${place.path}" was removed by somebody else while you wrote, or is no text any more. Your text is below: commit it as a file of its own, or leave the page.`,
        },
      })
    case 'refused': {
      const id = { branch: 'new-branch', message: 'message', path: 'path', text: 'text', none: 'form' } as const
      return sendEditForm(c, deps, { place, form, problems: { [id[outcome.field ?? 'none']]: outcome.problem } })
    }
  }
}

/** A path that nobody touched stays as it is written, in whatever form its letters have. */
async function readEditForm(c: Context, { path }: EditPlace): Promise<EditForm> {
  const [openedId, text, newPath] = [readField(c, 'opened'), readField(c, 'text'), readField(c, 'path')]
  return {
    openedId,
    text: unifyLines(text),
    newPath: newPath === path ? path : newPath.trim().normalize('NFC'),
    commit: await readCommitForm(c),
    way: await wayOfForm(c),
  }
}

/** Whether others had pushed before the commit came. */
async function isJoined(
  { git }: Deps,
  { repository }: EditPlace,
  { openedId }: EditForm,
  commitId: string,
): Promise<boolean> {
  const commit = await git.findCommit(repository.id, commitId)
  return commit !== null && commit.parentIds[0] !== openedId
}

function leadBack(
  c: Context,
  { place, form, after }: { place: EditPlace; form: EditForm; after: 'commit' | 'joined' | 'kept' },
): Response {
  const { commit, newPath, way } = form
  const branch = commit.to === 'new' ? commit.newBranch : place.branch
  const href = backHref(place, { branch, path: newPath, way })
  if (way.isFromPdf) return c.redirect(href, 303)
  return c.redirect(`${href}?after=${after}${way.line === null ? '' : `#L${way.line}`}`, 303)
}
