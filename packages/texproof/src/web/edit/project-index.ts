/** `GET /{owner}/{repo}/project/{branch}/{path}`: the project index, for the script of the editor. */
import { posix } from 'node:path'

import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { readDraftsOfBranch } from '../../operations/edit/drafts.ts'
import { emptyIndex, findProjectIndex } from '../../operations/project-index/project-index.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findEditLocation } from './find-edit-location.ts'

/**
 * The index of the branch with its drafts. `root` is the folder in which TeX runs. Null if the index takes too long now.
 */
export async function sendProjectIndex(c: Context, deps: Deps): Promise<Response> {
  const { repository, branch, headId } = await findEditLocation(c, deps)
  c.header('cache-control', 'private, no-store')
  if (headId === null) return c.json({ ...emptyIndex, root: '' })
  const ref = { kind: 'branch', name: branch, commitId: headId } as const
  const paper = await findRefPaper(deps, repository.id, { ref, document: c.req.query('doc') ?? null })
  const rootFile = paper?.newest.rootFile ?? null
  const index = await findProjectIndex(deps, {
    repositoryId: repository.id,
    ownerId: repository.owner.id,
    commitId: headId,
    rootFile,
    drafts: await readDraftsOfBranch(deps, { repositoryId: repository.id, branch }),
  })
  const folder = posix.dirname(rootFile ?? '')
  return c.json(index && { ...index, root: folder === '.' ? '' : `${folder}/` })
}
