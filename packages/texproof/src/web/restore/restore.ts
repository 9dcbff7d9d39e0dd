/** `/{owner}/{repo}/restore/{commit}/{path}`: asks before an earlier version replaces the version of a branch. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { ListedChange } from '../../git/history/list-changes.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { restoreVersion } from '../../operations/restore/restore-version.ts'
import type { RestoreOutcome } from '../../operations/restore/restore-version.ts'
import { encodePath, repositoryPath, restorePath } from '../../domain/page-urls.ts'
import {
  commitTarget,
  findCommittedBranch,
  newCommitForm,
  readCommitForm,
  toFieldProblems,
} from '../edit/read-edit-form.ts'
import type { CommitForm } from '../edit/read-edit-form.ts'
import { readField } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { findRestoreLocation, type RestoreLocation } from './find-restore-location.ts'
import { sendRestorePage } from './restore-page.ts'

/** Confirmation page of a restore, with its changes. */
export async function showRestore(c: Context, deps: Deps): Promise<Response> {
  const location = await findVersion(c, deps)
  const branches = await deps.git.listBranches(location.repository.id)
  const form = newCommitForm(messageOf(location), { login: location.caller.user.login, branches })
  return sendQuestion(c, deps, { location, form, problems: noProblems })
}

/** `POST` of the same. */
export async function postRestore(c: Context, deps: Deps): Promise<Response> {
  const location = await findVersion(c, deps)
  const { commit, path } = location
  const form = readCommitForm(c)
  const openedId = readField(c, 'opened')
  const target = commitTarget(location, form, { openedId, defaultMessage: messageOf(location) })
  const outcome = await restoreVersion(deps, { ...target, openedId, versionId: commit.commitId, path })
  if (outcome.kind === 'committed' || outcome.kind === 'there') {
    const notice = outcome.kind === 'committed' ? 'version-restored' : 'version-there'
    return redirectWithNotice(
      c,
      await findPage(deps, location, await findCommittedBranch(deps, location, form)),
      notice,
    )
  }
  return sendQuestion(c, deps, { location, form, problems: problemsOf(outcome, location) })
}

function problemsOf(
  outcome: Exclude<RestoreOutcome, { readonly kind: 'committed' | 'there' }>,
  { branch }: RestoreLocation,
): FormProblems {
  if (outcome.kind === 'refused') return toFieldProblems(outcome)
  if (outcome.kind === 'too-large')
    return { form: 'More than 5,000 files differ. Restore a folder or a file, or use git in a clone.' }
  return {
    form: `${branch} has changed since you opened this page. Nothing was restored. Review the new list of files, then restore again.`,
  }
}

/** @throws NotFound if the commit does not have the path. */
async function findVersion(c: Context, deps: Deps): Promise<RestoreLocation> {
  const location = await findRestoreLocation(c, deps, c.req.param('path') ?? '')
  if ((await findKind(deps, location)) === null)
    throw new NotFound(`There is no file ${location.path} at ${shortId(location)}.`)
  return location
}

async function findKind(
  { git }: Deps,
  { repository, commit, path }: RestoreLocation,
): Promise<'file' | 'folder' | null> {
  if (path === '') return 'folder'
  const entry = await findFile(git, repository.id, { commitId: commit.commitId, path })
  return entry === null ? null : entry.kind === 'folder' ? 'folder' : 'file'
}

async function findPage(deps: Deps, location: RestoreLocation, branch: string): Promise<string> {
  const view = (await findKind(deps, location)) === 'folder' ? 'tree' : 'blob'
  const tail = location.path === '' ? '' : `/${encodePath(location.path)}`
  return `${repositoryPath(location.repository)}/${view}/${encodePath(branch)}${tail}`
}

function shortId({ commit }: RestoreLocation): string {
  return commit.commitId.slice(0, 7)
}

function messageOf(location: RestoreLocation): string {
  return `Restore ${location.path === '' ? 'all files' : location.path} of ${shortId(location)}`
}

async function sendQuestion(
  c: Context,
  deps: Deps,
  asked: { readonly location: RestoreLocation; readonly form: CommitForm; readonly problems: FormProblems },
): Promise<Response> {
  const { location } = asked
  const { repository, commit, branch, path } = location
  const changes = await findChanges(deps, location)
  const what = path === '' ? 'all files' : html`<code>${path}</code>`
  return sendRestorePage(c, deps, {
    ...asked,
    heading: 'Restore a version',
    explanation:
      changes?.length === 0
        ? html`${branch} already has ${what} as it was at ${shortId(location)}.`
        : html`This creates a commit that restores ${what} to <code>${shortId(location)}</code>,
            ${timeAgo(commit.committer.at)}, on ${branch}. Later commits stay in the history.`,
    button: 'Restore',
    changes,
    path: restorePath(repository, commit.commitId, path),
  })
}

function findChanges(
  { git }: Deps,
  { repository, commit, openedId, path }: RestoreLocation,
): Promise<readonly ListedChange[] | null> {
  return git.listChanges(repository.id, { fromCommitId: openedId, toCommitId: commit.commitId, path })
}
