/**
 * Paths below the root of all repositories:
 *
 * - `{root}/{ab}/{id}.git`: a repository. `ab` is the id modulo 256 in hex, so that consecutive ids go to consecutive
 *   folders, and 100,000 repositories make folders of 400. In a shell: `printf '%02x/%d.git' $((id % 256)) $id`.
 * - `{root}/tmp/{id}-{random}`: a repository that is being created.
 * - `{root}/trash/{id}-{random}`: a repository that is being removed.
 *
 * Paths contain no names. An id is never reused, so renaming and case sensitivity concern only the database.
 */
import path from 'node:path'

/** Absolute path of a repository; `root` is absolute. */
export function repositoryPath(root: string, repositoryId: number): string {
  if (!Number.isSafeInteger(repositoryId) || repositoryId < 1)
    throw new RangeError('repository id is a positive integer')
  return path.join(root, (repositoryId % 256).toString(16).padStart(2, '0'), `${repositoryId}.git`)
}

/** The id of a repository by its path. */
export function repositoryIdOf(gitDir: string): number {
  return Number(path.basename(gitDir, '.git'))
}

/** Folder of repositories that are being created, on the same file system as the root, so that a rename is possible. */
export function makingFolder(root: string): string {
  return path.join(root, 'tmp')
}

/** Folder of repositories that are being removed. */
export function trashFolder(root: string): string {
  return path.join(root, 'trash')
}
