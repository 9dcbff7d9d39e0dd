/**
 * Informs a running server that a command has purged a repository, so that it does not use cached data or open packs.
 * The command appends the id of the repository to a file, which the server polls.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { readUnlessAbsent } from '../../base/absent.ts'

const lookEveryMs = 1_000

/** After this time, every server has read the entry. */
export const purgeNoticedAfterMs = 3 * lookEveryMs

/** Records that a repository was purged. */
export function notePurge(root: string, repositoryId: number): void {
  appendFileSync(pathOf(root), `${repositoryId}\n`, { mode: 0o600 })
}

/** Calls `onPurge` for every repository that is recorded from now on; the returned function stops it. */
export function watchPurges(root: string, onPurge: (repositoryId: number) => void): () => void {
  let readBytes = sizeOf(root)
  const look = (): void => {
    const size = sizeOf(root)
    if (size === readBytes) return
    const bytes = readUnlessAbsent(() => readFileSync(pathOf(root)), Buffer.alloc(0))
    // A smaller file is another one.
    const added = bytes.subarray(size < readBytes ? 0 : readBytes, size)
    readBytes = size
    for (const line of added.toString().split('\n')) if (line !== '') onPurge(Number(line))
  }
  const timer = setInterval(() => {
    try {
      look()
    } catch {
      // Without descriptors, for example: it is read the next time. An exception here would end the server.
    }
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

function sizeOf(root: string): number {
  return statSync(pathOf(root), { throwIfNoEntry: false })?.size ?? 0
}

function pathOf(root: string): string {
  return join(root, 'purges.log')
}
