import { refuseDamaged } from './damaged-object.ts'
import type { ObjectPool } from './object-pool.ts'
import { streamGit } from '../process/stream-git.ts'
import type { GitStream } from '../process/stream-git.ts'

/** A file of any size, as a stream. */
export interface OpenedBlob extends GitStream {
  readonly sizeBytes: number
  /** Its first bytes, at least 8,000 if the file is that long. `body` contains them, too. */
  readonly head: Uint8Array
}

const headBytes = 8_000

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
  const reader = body.getReader()
  const pieces: Uint8Array[] = []
  for (let length = 0; length < headBytes;) {
    const { value } = await reader.read()
    if (value === undefined) break
    pieces.push(value)
    length += value.byteLength
  }
  return { sizeBytes: found.size, head: Buffer.concat(pieces), body: putBack(pieces, reader), ended }
}

/** The chunks that were read, followed by the rest. */
function putBack(
  pieces: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  const waiting = [...pieces]
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = waiting.shift() ?? (await reader.read()).value
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
