/**
 * Where things lie under the root of all repositories:
 *
 * - `{root}/{ab}/{id}.git`: a repository. `ab` is the id modulo 256 in hex, so that ids in a row go to folders in a row
 *   and 100,000 repositories make folders of 400. A shell finds it with `printf '%02x/%d.git' $((id % 256)) $id`.
 * - `{root}/tmp/{id}-{random}`: a repository that is being made.
 * - `{root}/trash/{id}-{random}`: a repository that is being removed.
 *
 * Names never reach the disk: an id is given once and never again, so renaming, re-creating and letter case are
 * questions of the database alone.
 */
import path from 'node:path'

/** Absolute path of a repository; `root` is absolute. */
export function repositoryPath(root: string, repositoryId: number): string {
  if (!Number.isSafeInteger(repositoryId) || repositoryId < 1)
    throw new RangeError('repository id is a positive integer')
  return path.join(root, (repositoryId % 256).toString(16).padStart(2, '0'), `${repositoryId}.git`)
}

/** The folder of repositories being made: on the same file system, so that a rename puts them in place. */
export function makingFolder(root: string): string {
  return path.join(root, 'tmp')
}

/** The folder of repositories being removed. */
export function trashFolder(root: string): string {
  return path.join(root, 'trash')
}
