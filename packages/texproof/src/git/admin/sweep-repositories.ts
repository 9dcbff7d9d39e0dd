/**
 * Removes what crashes leave behind: repositories created or deleted in part, locks without a holder (a stale
 * `refs/heads/main.lock` refuses every push), and the quarantine of interrupted pushes.
 *
 * A file is a leftover if it is older than a given age and no git process works on its repository.
 */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { findWriters } from '../process/find-writers.ts'
import { removeLeftovers, removeOld } from '../refs/stale-locks.ts'
import { makingFolder, trashFolder } from './repository-path.ts'

/**
 * Removes leftovers older than `olderThanMs` in all repositories; returns their paths, relative to the root. If a git
 * process works on a repository, nothing is removed there and `onBusy` is called.
 */
export async function sweepRepositories(
  root: string,
  { olderThanMs, onBusy }: { readonly olderThanMs: number; readonly onBusy: (gitDir: string) => void },
): Promise<readonly string[]> {
  // Computed once: files created while this runs are in use.
  const before = Date.now() - olderThanMs
  const removed: string[] = []
  for (const folder of [makingFolder(root), trashFolder(root)]) {
    for (const entry of await list(folder)) {
      const place = path.join(folder, entry.name)
      removed.push(...(await removeOld([place], before)))
    }
  }
  const isWritten = await findWriters()
  for (const spread of await list(root)) {
    if (!/^[0-9a-f]{2}$/.test(spread.name)) continue
    for (const repository of await list(path.join(root, spread.name))) {
      const gitDir = path.join(root, spread.name, repository.name)
      if (isWritten(gitDir)) onBusy(gitDir)
      else removed.push(...(await removeLeftovers(gitDir, before)))
    }
  }
  return removed.map((place) => path.relative(root, place))
}

/** Absent or not a folder: nothing to sweep. */
async function list(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(whenAbsent([]))
}
