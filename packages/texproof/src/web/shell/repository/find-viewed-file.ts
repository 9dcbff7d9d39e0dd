import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { TreeEntry } from '../../../git/types.ts'
import { findFile } from '../../../operations/edit/find-file.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import { NotFound } from '../../session/errors.ts'
import { resolveRefAndPath, type ResolvedRef } from './resolve-ref.ts'

/** What stands behind `{ref}/{path}` in an address. */
export interface ViewedFile {
  readonly ref: ResolvedRef
  readonly path: string
  readonly file: TreeEntry
}

/**
 * The file or folder that the rest of an address names.
 *
 * @throws NotFound when there is no such ref, or nothing at the path.
 */
export async function findViewedFile(
  c: Context,
  { git }: Pick<Deps, 'git'>,
  repository: ViewedRepository,
): Promise<ViewedFile> {
  const found = await resolveRefAndPath(git, repository.id, c.req.param('rest') ?? '')
  if (found === null) throw new NotFound('No branch, tag or commit of this name.')
  const { ref, path } = found
  const file = await findFile(git, repository.id, { commitId: ref.commitId, path })
  if (file === null || file.kind === 'submodule') throw new NotFound(`${ref.name} has no file ${path}.`)
  return { ref, path, file }
}
