/** `/{owner}/{repo}/revert/{commit}`: asks before the changes of a commit are undone on a branch. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Commit } from '../../git/types.ts'
import { revertCommit } from '../../operations/restore/revert-commit.ts'
import type { RevertOutcome } from '../../operations/restore/revert-commit.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { commitTarget, newCommitForm, readCommitForm, toFieldProblems } from '../edit/read-edit-form.ts'
import type { CommitForm } from '../edit/read-edit-form.ts'
import { readField } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { findRestoreLocation, type RestoreLocation } from './find-restore-location.ts'
import { sendRestorePage } from './restore-page.ts'

/** Conflicting files that are named. */
const MAX_NAMED = 5

/** Confirmation page of a revert, with its changes. */
export async function showRevert(c: Context, deps: Deps): Promise<Response> {
  const location = await findRestoreLocation(c, deps, '')
  const branches = await deps.git.listBranches(location.repository.id)
  const form = newCommitForm(messageOf(location.commit), { login: location.caller.user.login, branches })
  return sendQuestion(c, deps, { location, form, problems: noProblems })
}

/** `POST` of the same. */
export async function postRevert(c: Context, deps: Deps): Promise<Response> {
  const location = await findRestoreLocation(c, deps, '')
  const { repository, commit } = location
  const form = readCommitForm(c)
  const openedId = readField(c, 'opened')
  const target = commitTarget(location, form, { openedId, defaultMessage: messageOf(commit) })
  const message = `${target.message}\n\nThis reverts commit ${commit.commitId}.\n`
  const reverted = { ...target, openedId, message, commitId: commit.commitId, parentId: parentOf(commit) }
  const outcome = await revertCommit(deps, reverted)
  const home = repositoryPath(repository)
  if (outcome.kind === 'committed')
    return redirectWithNotice(c, `${home}/commit/${outcome.commitId}`, 'commit-reverted')
  if (outcome.kind === 'there') return redirectWithNotice(c, `${home}/commit/${commit.commitId}`, 'nothing-to-revert')
  return sendQuestion(c, deps, { location, form, problems: problemsOf(outcome, location) })
}

function problemsOf(
  outcome: Exclude<RevertOutcome, { readonly kind: 'committed' | 'there' }>,
  { branch }: RestoreLocation,
): FormProblems {
  if (outcome.kind === 'refused') return toFieldProblems(outcome)
  if (outcome.kind === 'too-large')
    return { form: 'More than 5,000 files differ. Revert this commit in a clone, with git revert.' }
  const { paths } = outcome
  const more = paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ''
  return {
    form: `Later commits on ${branch} changed the same lines of ${paths.slice(0, MAX_NAMED).join(', ')}${more}. Nothing was committed. Revert those commits first, or edit the files.`,
  }
}

/** Commit message with the wording of git, so that programs recognize it. */
function messageOf({ message }: Commit): string {
  return `Revert "${commitSubject(message)}"`
}

function parentOf({ parentIds: [parentId] }: Commit): string {
  if (parentId === undefined) throw new NotFound('The first commit cannot be reverted: it has no parent.')
  return parentId
}

async function sendQuestion(
  c: Context,
  deps: Deps,
  asked: { readonly location: RestoreLocation; readonly form: CommitForm; readonly problems: FormProblems },
): Promise<Response> {
  const { repository, commit, branch } = asked.location
  const range = { fromCommitId: commit.commitId, toCommitId: parentOf(commit), path: '' }
  const isMerge = commit.parentIds.length > 1
  return sendRestorePage(c, deps, {
    ...asked,
    heading: 'Revert a commit',
    explanation: html`This creates a commit that undoes <q>${commitSubject(commit.message)}</q> on
      ${branch}${isMerge ? html`, with all changes of this merge` : ''}. Later changes are kept.`,
    button: 'Revert',
    changes: await deps.git.listChanges(repository.id, range),
    path: `${repositoryPath(repository)}/revert/${commit.commitId}`,
  })
}
