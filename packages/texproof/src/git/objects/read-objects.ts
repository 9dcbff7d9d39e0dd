import { refuseDamaged } from './damaged-object.ts'
import type { ObjectPool } from './object-pool.ts'
import type { ObjectQuery } from './object-replies.ts'

/** A complete object. */
export interface GitObject {
  readonly objectId: string
  readonly type: string
  readonly bytes: Buffer
}

/** The object to read, and how far to peel it. */
export type ObjectName = Omit<ObjectQuery, 'command'>

/**
 * Reads complete objects, in the order of the names; null for an object that is missing or over `maxBytes`.
 *
 * Sizes are queried first, because a push of 5 MB can contain an object of 1 GB.
 *
 * @throws DamagedObjectError when one cannot be read.
 */
export async function readObjects(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly names: readonly ObjectName[]; readonly maxBytes: number },
): Promise<readonly (GitObject | null)[]> {
  const sizes = await pool.ask(
    gitDir,
    options.names.map((name) => ({ command: 'info', ...name })),
  )
  refuseDamaged(gitDir, options.names, sizes)
  const found = sizes.map((size) => (size.kind === 'object' && size.size <= options.maxBytes ? size.objectId : null))
  const wanted = [...new Set(found.filter((objectId) => objectId !== null))]
  const replies = await pool.ask(
    gitDir,
    wanted.map((objectId) => ({ command: 'contents', objectId, peelTo: null })),
  )
  refuseDamaged(
    gitDir,
    wanted.map((objectId) => ({ objectId })),
    replies,
  )
  const objects = new Map<string, GitObject>()
  for (const reply of replies) if (reply.kind === 'object') objects.set(reply.objectId, reply)
  return found.map((objectId) => (objectId === null ? null : (objects.get(objectId) ?? null)))
}

/** Reads one complete object; null if it is missing or over `maxBytes`. @throws DamagedObjectError */
export async function readObject(
  pool: ObjectPool,
  gitDir: string,
  options: ObjectName & { readonly maxBytes: number },
): Promise<GitObject | null> {
  const { maxBytes, ...name } = options
  const [object] = await readObjects(pool, gitDir, { names: [name], maxBytes })
  return object ?? null
}
