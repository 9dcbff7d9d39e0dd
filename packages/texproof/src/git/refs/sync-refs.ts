import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { syncFolder } from '../../base/durable-file.ts'

/**
 * Syncs the directory entries that git has created since a given time. git syncs the contents of packs and refs, but
 * not the folders that contain them, so a power failure could revert an acknowledged push. Objects come first: a ref
 * must not be on disk before its commit.
 */
export async function syncRefs(gitDir: string, { since }: { readonly since: number }): Promise<void> {
  const refs = await readdir(path.join(gitDir, 'refs'), { recursive: true, withFileTypes: true }).catch(whenAbsent([]))
  const objects = await readdir(path.join(gitDir, 'objects'), { withFileTypes: true }).catch(whenAbsent([]))
  const paths = (entries: typeof refs): readonly string[] =>
    entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name))
  // Garbage collection moves objects into packs: on Btrfs, a removed file could be on disk before its pack.
  const packsFirst = objects.toSorted((left, right) => Number(right.name === 'pack') - Number(left.name === 'pack'))
  const inOrder = [
    ...paths(packsFirst),
    path.join(gitDir, 'objects'),
    ...paths(refs),
    path.join(gitDir, 'refs'),
    gitDir,
  ]
  for (const folder of inOrder) {
    const changedAt = await stat(folder).then(({ mtimeMs }) => mtimeMs, whenAbsent(null))
    // The next push removes an empty folder of refs.
    if (changedAt !== null && changedAt >= since - CLOCK_TICK_MS) await syncFolder(folder).catch(whenAbsent(undefined))
  }
}

/** File systems record times with the last tick of their clock. */
const CLOCK_TICK_MS = 2_000
