/**
 * How a running server learns that a command has purged a repository: it must not answer from memory, nor from packs
 * that it still holds open. The command appends the id of the repository to a file, and the server reads what was added.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const lookEveryMs = 1_000

/** After so long every server has read a note. */
export const purgeNoticedAfterMs = 3 * lookEveryMs

/** Notes that a repository was purged. */
export function notePurge(root: string, repositoryId: number): void {
  appendFileSync(pathOf(root), `${repositoryId}\n`, { mode: 0o600 })
}

/** Calls `onPurge` for every repository that is noted from now on; the answer ends it. */
export function watchPurges(root: string, onPurge: (repositoryId: number) => void): () => void {
  let readBytes = sizeOf(root)
  const timer = setInterval(() => {
    const size = sizeOf(root)
    if (size === readBytes) return
    const added = readFileSync(pathOf(root)).subarray(readBytes, size)
    readBytes = size
    for (const line of added.toString().split('\n')) if (line !== '') onPurge(Number(line))
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}

function sizeOf(root: string): number {
  return statSync(pathOf(root), { throwIfNoEntry: false })?.size ?? 0
}

function pathOf(root: string): string {
  return join(root, 'purges.log')
}
