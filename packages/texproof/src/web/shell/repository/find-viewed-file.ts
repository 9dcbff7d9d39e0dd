import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { TreeEntry } from '../../../git/types.ts'
import { findFile } from '../../../operations/edit/find-file.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import { NotFound } from '../../session/errors.ts'
import { resolveRefAndPath, type ResolvedRef } from './resolve-ref.ts'

/** The file or folder at `{ref}/{path}` of an address. */
export interface ViewedFile {
  readonly ref: ResolvedRef
  readonly path: string
  readonly file: TreeEntry
}

/** No folder has an entry for it, and no page reads its content. */
const ROOT: TreeEntry = { name: '', kind: 'folder', objectId: '' }

/**
 * Finds the file or folder of an address; without a path the root folder.
 *
 * @throws NotFound if the ref or the path does not exist.
 */
export async function findViewedFile(
  c: Context,
  { git }: Pick<Deps, 'git'>,
  repository: ViewedRepository,
): Promise<ViewedFile> {
  const found = await resolveRefAndPath(git, repository.id, c.req.param('rest') ?? '')
  if (found === null) throw new NotFound('Branch, tag or commit not found.')
  const { ref, path } = found
  if (path === '') return { ref, path, file: ROOT }
  const file = await findFile(git, repository.id, { commitId: ref.commitId, path })
  if (file === null) throw new NotFound(`There is no file ${path} on ${ref.name}.`)
  if (file.kind === 'submodule') throw new NotFound(`${path} is a submodule: its files are in another repository.`)
  return { ref, path, file }
}
