import { refuseDamaged } from './damaged-object.ts'
import type { ObjectPool } from './object-pool.ts'
import { readAhead } from './read-ahead.ts'
import { streamGit } from '../process/stream-git.ts'
import type { GitStream } from '../process/stream-git.ts'

/** A file of any size, as a stream. */
export interface OpenedBlob extends GitStream {
  readonly sizeBytes: number
  /** Its first bytes, at least 8,000 if the file is that long. `body` contains them, too. */
  readonly head: Uint8Array
}

/** Streams a file from git; null if there is no such blob. A caller that does not read the body must cancel it. */
export async function openBlob(
  gitDir: string,
  { objectId, pool, searchPath }: { readonly objectId: string; readonly pool: ObjectPool; readonly searchPath: string },
): Promise<OpenedBlob | null> {
  const replies = await pool.ask(gitDir, [{ command: 'info', objectId, peelTo: null }])
  refuseDamaged(gitDir, [{ objectId }], replies)
  const [found] = replies
  if (found?.kind !== 'object' || found.type !== 'blob') return null
  // git streams larger blobs, unless they are stored as deltas.
  const settings = [['core.bigFileThreshold', '1m']] as const
  const { body, ended } = streamGit(['cat-file', 'blob', objectId], { gitDir, searchPath, settings })
  return { sizeBytes: found.size, ...(await readAhead(body)), ended }
}
