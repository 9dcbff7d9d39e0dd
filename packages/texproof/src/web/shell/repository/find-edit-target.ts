import type { Context } from 'hono'

import type { GitStore } from '../../../git/types.ts'
import { findFile } from '../../../operations/edit/find-file.ts'
import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import { mayWrite } from './require-permission.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import type { ResolvedRef } from './resolve-ref.ts'

/** The branch on which the viewed file can be changed. */
export interface EditTarget {
  readonly repository: ViewedRepository
  readonly branch: string
  /** Whether the branch is at the viewed commit, so that line numbers match. */
  readonly isSame: boolean
}

/** The address of the editor for a line, and the page to return to. */
export interface EditedLine {
  readonly path: string
  /** 1 = the first; null = the file as a whole. */
  readonly line: number | null
  /** The document whose PDF is shown; `undefined` = opened from the file. */
  readonly pdfDocument?: string | null
}

/**
 * The branch on which the viewer can edit the file shown at a ref: the branch itself, otherwise one at the same commit,
 * otherwise the default branch if it contains the file. null = no write access, or no such branch.
 */
export async function findEditTarget(
  c: Context,
  git: GitStore,
  {
    repository,
    ref,
    path,
  }: { readonly repository: ViewedRepository; readonly ref: ResolvedRef; readonly path: string },
): Promise<EditTarget | null> {
  if (!mayWrite(c, repository)) return null
  if (ref.kind === 'branch') return { repository, branch: ref.name, isSame: true }
  const usual = await git.findBranch(repository.id, repository.defaultBranch)
  const isHere = ({ commitId }: { readonly commitId: string }): boolean => commitId === ref.commitId
  const same = usual !== null && isHere(usual) ? usual : (await git.listBranches(repository.id)).find(isHere)
  if (same !== undefined) return { repository, branch: same.name, isSame: true }
  if (usual === null) return null
  const file = await findFile(git, repository.id, { commitId: usual.commitId, path })
  return file === null || file.kind === 'folder' ? null : { repository, branch: usual.name, isSame: false }
}

/** The address of the editor at a line. */
export function editHref(
  { repository, branch }: Pick<EditTarget, 'repository' | 'branch'>,
  { path, line, pdfDocument }: EditedLine,
): string {
  const query = new URLSearchParams({
    ...(line === null ? {} : { line: String(line) }),
    ...(pdfDocument === undefined ? {} : { back: 'pdf' }),
    ...(typeof pdfDocument === 'string' ? { doc: pdfDocument } : {}),
  })
  const address = `${repositoryPath(repository)}/edit/${encodePath(branch)}/${encodePath(path)}`
  return query.size === 0 ? address : `${address}?${query}`
}
