import type { GitStore } from './types.ts'

/**
 * A repository of the database has no directory, or one without `HEAD`: it was lost, or its file system is not mounted. The
 * store reads it as empty, because the same is true while a repository is removed.
 */
export class MissingRepositoryError extends Error {
  override readonly name = 'MissingRepositoryError'
  readonly code = 'REPOSITORY_MISSING'
  /** Path of the directory. */
  readonly path: string
  readonly remedy = 'Mount its file system, or restore the repository from a backup.'

  constructor(gitDir: string) {
    super(`the repository is missing on disk: ${gitDir}`)
    this.path = gitDir
  }
}

/**
 * Distinguishes an empty repository from a missing one. Call it before a response that says that there is no branch.
 *
 * @throws MissingRepositoryError if the repository is missing on disk.
 */
export async function refuseMissing(
  git: Pick<GitStore, 'hasRepository' | 'gitDir'>,
  repositoryId: number,
): Promise<void> {
  if (!(await git.hasRepository(repositoryId))) throw new MissingRepositoryError(git.gitDir(repositoryId))
}
