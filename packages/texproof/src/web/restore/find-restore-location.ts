import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit, GitStore } from '../../git/types.ts'
import type { EditLocation } from '../edit/find-edit-location.ts'
import { findSignedIn } from '../session/find-caller.ts'
import { readField } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'
import { orderBranches } from '../shell/repository/order-refs.ts'
import { findCommit } from '../shell/repository/resolve-ref.ts'

/** Each takes a query of the history. */
const MAX_ASKED = 20

/** An earlier commit, and the branch that is to change. */
export interface RestoreLocation extends EditLocation {
  readonly commit: Commit
  /**
   * The commit with which the page compares, and where a new branch starts: the head of the branch, or, if the branch was
   * deleted in the meantime, its head when the form was opened.
   */
  readonly openedId: string
}

/**
 * The commit of an address, and the branch of the form, of `?branch=`, or one that has the commit.
 *
 * @throws SignInNeeded, or NotFound for a viewer who may not write, and without that commit or branch.
 */
export async function findRestoreLocation(c: Context, deps: Deps, path: string): Promise<RestoreLocation> {
  const { repository } = await requireWritable(c, deps)
  const caller = findSignedIn(c)
  const commit = await findCommit(deps.git, repository.id, c.req.param('commitId') ?? '')
  if (caller === null || commit === null) throw new NotFound('Commit not found.')
  const isForm = c.req.method === 'POST'
  const named = isForm ? readField(c, 'branch') : (c.req.query('branch') ?? '')
  const branch = named === '' ? await findBranchOf(deps.git, repository, commit.commitId) : named
  const head = await deps.git.findBranch(repository.id, branch)
  if (head === null && !isForm) throw new NotFound(`Branch ${branch} not found.`)
  const headId = head?.commitId ?? null
  return { repository, caller, commit, branch, headId, openedId: headId ?? readField(c, 'opened'), path }
}

/** A branch that has a commit: the default branch if it does or if none of the others is found to. */
async function findBranchOf(
  git: Pick<GitStore, 'findMergeBase' | 'listBranches'>,
  { id, defaultBranch }: Repository,
  commitId: string,
): Promise<string> {
  const branches = orderBranches(await git.listBranches(id))
  const isUsual = ({ name }: { readonly name: string }): boolean => name === defaultBranch
  const asked = [...branches.filter(isUsual), ...branches.filter((branch) => !isUsual(branch))]
  for (const branch of asked.slice(0, MAX_ASKED))
    if ((await git.findMergeBase(id, [branch.commitId, commitId])) === commitId) return branch.name
  return defaultBranch
}
