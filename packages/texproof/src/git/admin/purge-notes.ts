/**
 * Informs a running server that a command has purged a repository, so that it does not use cached data or open packs.
 * The command appends the id of the repository to a file, which the server polls.
 */
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

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
