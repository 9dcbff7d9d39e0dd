/** `/{owner}/{repo}/edit/{branch}/{path}`: edits a text, renames or moves it. */
import { posix } from 'node:path'

import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { authorName } from '../../domain/git/author-name.ts'
import type { User } from '../../domain/types.ts'
import { readSourceText } from '../../domain/text/source-text.ts'
import { editFile, type EditOutcome, type StoppedText } from '../../operations/edit/edit-file.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { maxEditedBytes } from '../../operations/edit/merge-edit.ts'
import { readOtherDrafts } from '../../operations/edit/other-drafts.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { draftPlace, endDraft } from '../../operations/edit/drafts.ts'
import type { SharedDraft } from '../../live/rooms.ts'
import { NotFound } from '../session/errors.ts'
import { sendAddFilesPage } from './add-files-page.ts'
import { resolveConflict, sendConflict } from './conflict.ts'
import { returnHref, sendEditPage } from './edit-page.ts'
import { draftKey, findDraft, rememberCommittedAttempt } from './draft.ts'
import { discardForm } from './editor/editor-bar.ts'
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
  if (headId === null || file === null || file.kind === 'folder') {
    const draft = await findDraft(deps, location)
    if (draft?.isChanged === true) return sendDraftWithoutFile(c, deps, { location, draft })
  }
  if (headId === null || file === null) throw new NotFound(`There is no file ${path} on ${branch}.`)
  if (file.kind === 'folder')
    return c.redirect(`${repositoryPath(repository)}/tree/${encodePath(branch)}/${encodePath(path)}`)
  if (/[\r\n]/.test(path)) return sendNotEditable(c, location, 'name')
  if (file.kind === 'symlink' || file.kind === 'submodule') return sendNotEditable(c, location, file.kind)
  const bytes = await deps.git.readBlob(repository.id, file.objectId, { maxBytes: maxEditedBytes })
  const text = bytes === null ? null : readSourceText(bytes)
  if (text === null) return sendNotEditable(c, location, bytes === null ? 'too-large' : 'no-text')
  const branches = await deps.git.listBranches(repository.id)
  const commit = newCommitForm(messageOfEdit(path), { login: location.caller.user.login, branches })
  const draft = await findDraft(deps, location)
  const form = { newPath: path, commit, otherPaths: null, origin: originOfAddress(c), answers: null }
  const opened = { openedId: draft?.openedId ?? headId, draftRevision: draft?.revision ?? 0, text: draft?.text ?? text }
  return sendEditPage(c, deps, { location, form: { ...form, ...opened, isLive: draft !== null }, draft })
}

/** The file or its branch was deleted after the draft was written, or the file became a folder: no text is lost. */
async function sendDraftWithoutFile(c: Context, deps: Deps, lost: LostDraft): Promise<Response> {
  const { location, draft } = lost
  const opened = location.headId === null ? await deps.git.findCommit(location.repository.id, draft.openedId) : null
  return opened === null ? sendDraftOfMissingFile(c, deps, lost) : sendDraftOfMissingBranch(c, deps, lost)
}

interface LostDraft {
  readonly location: EditLocation
  readonly draft: SharedDraft
}

/** The text can be committed to a new branch that starts where it was opened. */
async function sendDraftOfMissingBranch(c: Context, deps: Deps, { location, draft }: LostDraft): Promise<Response> {
  const { openedId, revision: draftRevision, text, branch, path } = draft
  const branches = await deps.git.listBranches(location.repository.id)
  const commit = newCommitForm(messageOfEdit(path), { login: location.caller.user.login, branches })
  const form: EditForm = {
    openedId,
    draftRevision,
    text,
    isLive: true,
    newPath: path,
    commit: { ...commit, to: 'new' },
    otherPaths: null,
    origin: originOfAddress(c),
    answers: null,
  }
  const problem = `The branch "${branch}" was deleted. Your draft is below: commit it to a new branch, or discard it in the menu.`
  return sendEditPage(c, deps, { location, form, draft, problems: { form: problem } })
}

/** The text can be committed as a new file. */
async function sendDraftOfMissingFile(c: Context, deps: Deps, { location, draft }: LostDraft): Promise<Response> {
  const branches = await deps.git.listBranches(location.repository.id)
  const commit = newCommitForm(`Add ${draft.path}`, { login: location.caller.user.login, branches })
  return sendAddFilesPage(c, deps, {
    location,
    newFile: { path: draft.path, text: draft.text, commit },
    problems: {
      form: `"${draft.path}" is no longer a file on ${draft.branch}. Your draft is below: commit it as a new file, or discard it.`,
    },
    discard: discardForm(c, location, draft),
  })
}

/** Commits the text, or shows the form again with the problem. */
export async function postEdit(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const draft = await findDraft(deps, location)
  const sent = readEditForm(c, location)
  const form =
    sent.isLive && draft !== null
      ? { ...sent, text: draft.text, openedId: draft.openedId, draftRevision: draft.revision }
      : sent
  if (form.answers === null) return commitEdit(c, deps, { location, form, draft })
  const resolution = await resolveConflict(deps, location, { ...form, answers: form.answers })
  if (resolution === null) return commitEdit(c, deps, { location, form: { ...form, answers: null }, draft })
  if (resolution.kind === 'open') return sendConflict(c, deps, { location, form, ...resolution })
  const resolved = { ...form, openedId: resolution.headId, text: resolution.text, isLive: false }
  if (resolution.kind === 'review') return sendReview(c, deps, { location, form, draft }, resolution)
  return commitEdit(c, deps, { location, form: resolved, draft })
}

interface SentEdit {
  readonly location: EditLocation
  readonly form: EditForm
  /** The draft of the file; null = there is neither a draft nor a text. */
  readonly draft: SharedDraft | null
}

/** Shows the merged text. It becomes the draft, unless others have changed the draft in the meantime. */
async function sendReview(
  c: Context,
  deps: Deps,
  { location, form, draft }: SentEdit,
  { headId: openedId, text }: { readonly headId: string; readonly text: string },
): Promise<Response> {
  const unsaved = { ...form, openedId, text, isLive: false }
  if (draft === null || (draft.isChanged && !isDraftOf(form, draft)))
    return sendEditPage(c, deps, { location, form: unsaved })
  const userId = location.caller.user.id
  const change = { userId, text, openedId, baseRevision: draft.revision, epoch: draft.epoch }
  const outcome = await deps.rooms.replace(draftPlace(deps, draftKey(location)), change)
  const merged = outcome.kind === 'saved' ? await findDraft(deps, location) : null
  if (merged === null) return sendEditPage(c, deps, { location, form: unsaved })
  const { openedId: mergedId, revision: draftRevision } = merged
  const saved = { ...form, text: merged.text, openedId: mergedId, draftRevision, isLive: true }
  return sendEditPage(c, deps, { location, form: saved, draft: merged })
}

/** `leftOut` = drafts of other files that were chosen, but cannot be part of the commit. */
async function commitEdit(
  c: Context,
  deps: Deps,
  { location, form, draft }: SentEdit,
  leftOut: readonly StoppedText[] = [],
): Promise<Response> {
  const { path } = location
  const { newPath, openedId, text, commit } = form
  const isRenamed = newPath !== path
  const committed = draft !== null && isDraftOf(form, draft) ? draft : null
  const others = await readOtherDrafts(deps, draftKey(location), form.otherPaths ?? [])
  const paths = listPaths({ location, form, draft }, others)
  const isDefault = (isRenamed || others.length > 0) && commit.message === messageOfEdit(path)
  const outcome = await editFile(deps, {
    ...commitTarget(location, isDefault ? { ...commit, message: '' } : commit, {
      openedId,
      defaultMessage: isRenamed ? `Rename ${path} to ${newPath}` : messageOfEdit(...paths),
    }),
    openedId,
    path,
    newPath,
    text,
    others,
    coAuthors: await findAuthors(deps, committed === null ? others : [committed, ...others]),
  })
  const isFromScript = c.req.header('accept') === 'application/json'
  // Ctrl+S commits the rest: the author opens the other file later.
  if (outcome.kind === 'others' && isFromScript) {
    const stopped = new Set(outcome.stopped.map((each) => each.path))
    const otherPaths = others.map((other) => other.path).filter((each) => !stopped.has(each))
    return commitEdit(c, deps, { location, form: { ...form, otherPaths }, draft }, [...leftOut, ...outcome.stopped])
  }
  const isEnded = ['committed', 'there', 'unchanged'].includes(outcome.kind)
  for (const ended of isEnded ? (committed === null ? others : [committed, ...others]) : [])
    await endDraft(
      deps,
      { ...draftKey(location), path: ended.path },
      {
        draft: ended,
        by: nameOf(location),
        branch: committedBranch(location, commit),
        newPath: ended.path === path ? newPath : ended.path,
      },
    )
  if (isEnded) rememberCommittedAttempt(c)
  if (isFromScript) return answerCommit(c, deps, { location, form, outcome, fileCount: paths.length, leftOut })
  switch (outcome.kind) {
    case 'committed': {
      const isMerged = await hasOtherParent(deps.git, location, { openedId, commitId: outcome.commitId })
      return redirectBack(c, { location, form, after: isMerged ? 'joined' : 'commit' })
    }
    case 'there':
      return redirectBack(c, { location, form, after: 'commit' })
    case 'unchanged':
      if (form.answers !== null) return redirectBack(c, { location, form, after: 'kept' })
      return sendEditPage(c, deps, { location, form, draft, problems: { text: 'There are no changes to commit.' } })
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
    case 'others': {
      const problem = `${outcome.stopped[0]?.problem} Open that file to commit it, or leave it out.`
      return sendEditPage(c, deps, { location, form, draft, problems: { form: problem } })
    }
    case 'refused':
      return sendEditPage(c, deps, { location, form, draft, problems: toFieldProblems(outcome) })
  }
}

/** Response to the script of the editor, which stays open, or a page that shows what the script does not. */
async function answerCommit(
  c: Context,
  deps: Deps,
  {
    location,
    form,
    outcome,
    fileCount,
    leftOut,
  }: {
    location: EditLocation
    form: EditForm
    outcome: EditOutcome
    fileCount: number
    leftOut: readonly StoppedText[]
  },
): Promise<Response> {
  c.header('cache-control', 'private, no-store')
  if (outcome.kind === 'unchanged' || outcome.kind === 'there')
    return c.json({ kind: 'unchanged', committed: await findCommitOfOther(deps, location), leftOut })
  if (outcome.kind !== 'committed') return c.json({ kind: 'page' })
  const { commitId } = outcome
  return c.json({
    kind: 'committed',
    commitId,
    commitPath: commitPath(location, commitId),
    fileCount,
    leftOut,
    isMerged: await hasOtherParent(deps.git, location, { openedId: form.openedId, commitId }),
    draftRevision: (await findDraft(deps, location))?.revision ?? 0,
  })
}

/** The newest commit of the file, if another user has made it: a co-author may have pressed Ctrl+S at the same moment. */
async function findCommitOfOther({ git }: Deps, location: EditLocation) {
  const { repository, branch, path, caller } = location
  const head = await git.findBranch(repository.id, branch)
  const newest = { offset: 0, limit: 1, path }
  const [commit] = head === null ? [] : ((await git.listCommits(repository.id, head.commitId, newest)) ?? [])
  if (commit === undefined || commit.author.name === authorName(caller.user)) return null
  const { commitId, author } = commit
  return { by: author.name, commitId, commitPath: commitPath(location, commitId) }
}

function commitPath({ repository }: EditLocation, commitId: string): string {
  return `${repositoryPath(repository)}/commit/${commitId}`
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
  { location, form, after }: Omit<SentEdit, 'draft'> & { readonly after: 'commit' | 'joined' | 'kept' },
): Response {
  const { commit, newPath, origin } = form
  const href = returnHref(location, { branch: committedBranch(location, commit), path: newPath, origin })
  if (origin.isFromPdf) return c.redirect(href, 303)
  return c.redirect(`${href}?after=${after}${origin.line === null ? '' : `#L${origin.line}`}`, 303)
}

/** Whether a form contains the draft, which nobody has changed since. */
function isDraftOf({ text, draftRevision }: EditForm, draft: SharedDraft): boolean {
  return draft.text === text || draft.revision <= draftRevision
}

/** Users who changed the texts since the last commit. */
async function findAuthors({ store }: Deps, drafts: readonly SharedDraft[]): Promise<readonly User[]> {
  const ids = new Set(drafts.flatMap(({ authors }) => authors.map(({ userId }) => userId)))
  const users = await Promise.all([...ids].map((id) => store.users.findById(id)))
  return users.filter((user) => user !== null)
}

function nameOf({ caller: { user } }: EditLocation): string {
  return user.name ?? user.login
}

/** The files of a commit. If it contains drafts of other files, the one that is open may be unchanged. */
function listPaths({ location: { path }, form, draft }: SentEdit, others: readonly SharedDraft[]): readonly string[] {
  const isUnchanged = draft?.isChanged === false && draft.text === form.text && form.newPath === path
  return [...(isUnchanged && others.length > 0 ? [] : [path]), ...others.map((other) => other.path)]
}

/** `Edit intro.tex`: the default message. */
function messageOfEdit(path = '', ...others: readonly string[]): string {
  const name = posix.basename(path)
  return others.length === 0 ? `Edit ${name}` : `Edit ${name} and ${countOf(others.length, 'other file')}`
}
