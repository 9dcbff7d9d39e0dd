import { statSync } from 'node:fs'
import path from 'node:path'

import { isObjectId } from '../is-object-id.ts'
import type { ObjectQuery, ObjectReply } from './object-replies.ts'

/** An object that exists, or must exist, but cannot be read: the disk, the file or git failed. */
export class DamagedObjectError extends Error {
  override readonly name = 'DamagedObjectError'
  readonly code = 'OBJECT_DAMAGED'
  /** Path of the repository. */
  readonly path: string
  readonly remedy = 'Run texproof doctor --deep, then restore the repository from a backup.'

  constructor(gitDir: string, objectId: string) {
    super(`cannot read object ${objectId} of ${gitDir}`)
    this.path = gitDir
  }
}

/**
 * Distinguishes a failed read from a missing object. In a repository that no longer exists, all objects are missing.
 *
 * @throws DamagedObjectError for the first failed reply.
 */
export function refuseDamaged(
  gitDir: string,
  queries: readonly Pick<ObjectQuery, 'objectId'>[],
  replies: readonly ObjectReply[],
): void {
  for (const [index, { kind }] of replies.entries()) {
    const { objectId = '' } = queries[index] ?? {}
    const isDamaged = kind === 'damaged' || (kind === 'missing' && hasFile(gitDir, objectId))
    if (isDamaged && statSync(path.join(gitDir, 'HEAD'), { throwIfNoEntry: false }) !== undefined)
      throw new DamagedObjectError(gitDir, objectId)
  }
}

/** git reports an object as missing if it cannot read its file. */
function hasFile(gitDir: string, objectId: string): boolean {
  const file = path.join(gitDir, 'objects', objectId.slice(0, 2), objectId.slice(2))
  return isObjectId(objectId) && statSync(file, { throwIfNoEntry: false }) !== undefined
}
