import { posix } from 'node:path'

import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import type { Caller } from '../../domain/types.ts'
import { findSignedIn } from '../session/find-caller.ts'
import { readField } from '../session/form.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'
import { NotFound } from '../session/errors.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { resolveRefAndPath, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

/** Branches contain slashes, like paths. */
const MAX_BRANCH_PARTS = 32
/** Folders that a deletion may have left empty: of more, the top is shown. */
const MAX_LEVELS = 20

/** The branch and path of an edit. */
export interface EditLocation {
  readonly repository: ViewedRepository
  readonly caller: Caller
  /** Short name. */
  readonly branch: string
  /** The commit of the branch; null in an empty repository, or if the branch was deleted after the form was opened. */
  readonly headId: string | null
  /** `''` for the root folder. */
  readonly path: string
}

/**
 * The branch and path of an address, for a viewer who may write. A form contains its branch, so it can be processed
 * after the branch was deleted.
 *
 * @throws SignInNeeded, or NotFound for a viewer who may not write, and for a tag or a commit.
 */
export async function findEditLocation(c: Context, deps: Deps): Promise<EditLocation> {
  const { repository } = await requireWritable(c, deps)
  const caller = findSignedIn(c)
  if (caller === null) throw new NotFound()
  const rest = c.req.param('rest') ?? ''
  const named = c.req.method === 'POST' ? readField(c, 'branch') : ''
  const isNamed = named !== '' && `${rest}/`.startsWith(`${named}/`)
  const found = isNamed ? null : await resolveRefAndPath(deps.git, repository.id, rest)
  if (found !== null) return { repository, caller, ...onBranch(found) }
  if (isNamed) {
    const head = await deps.git.findBranch(repository.id, named)
    return { repository, caller, branch: named, headId: head?.commitId ?? null, path: rest.slice(named.length + 1) }
  }
  const draft = await findDraftAddress(deps, repository.id, rest)
  if (draft !== null) return { repository, caller, ...draft, headId: null }
  const first = repository.defaultBranch
  const isEmpty = (await deps.git.listBranches(repository.id)).length === 0
  if (!isEmpty || !`${rest}/`.startsWith(`${first}/`)) throw new NotFound('Branch not found.')
  return { repository, caller, branch: first, headId: null, path: rest.slice(first.length + 1) }
}

/** If the branch was deleted in the meantime, a form shows the files of the commit at which it was opened. */
export async function withOpenedFiles({ git }: Deps, location: EditLocation, openedId: string): Promise<EditLocation> {
  if (location.headId !== null) return location
  const opened = await git.findCommit(location.repository.id, openedId)
  return { ...location, headId: opened?.commitId ?? null }
}

/** Branch and path of a draft whose branch was deleted; null = there is none. */
async function findDraftAddress({ store }: Deps, repositoryId: number, rest: string) {
  const parts = rest.split('/')
  for (let count = Math.min(parts.length - 1, MAX_BRANCH_PARTS); count > 0; count -= 1) {
    const [branch, path] = [parts.slice(0, count).join('/'), parts.slice(count).join('/')]
    const draft = await store.drafts.find({ repositoryId, branch, path })
    if (draft?.isChanged === true) return { branch, path }
  }
  return null
}

function onBranch({ ref, path }: { readonly ref: ResolvedRef; readonly path: string }) {
  if (ref.kind !== 'branch')
    throw new NotFound(`${ref.name} is a ${ref.kind} and cannot be changed. Edit files on a branch.`)
  return { branch: ref.name, headId: ref.commitId, path }
}

/** `/sections`: the folder that held the path, or the nearest above it that still exists; `''` = the top. */
export async function findNearestFolder(
  { git }: Deps,
  { repository, path }: EditLocation,
  branch: string,
): Promise<string> {
  const head = await git.findBranch(repository.id, branch)
  if (head === null) return ''
  let folder = posix.dirname(path)
  for (let level = 0; level < MAX_LEVELS && folder !== '.'; level += 1) {
    const entry = await findFile(git, repository.id, { commitId: head.commitId, path: folder })
    if (entry?.kind === 'folder') return `/${folder}`
    folder = posix.dirname(folder)
  }
  return ''
}
