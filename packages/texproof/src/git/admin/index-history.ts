import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'

/** git arguments that index a history: the commit graph with the paths that each commit changed. */
export const indexHistory = ['commit-graph', 'write', '--reachable', '--changed-paths', '--split', '--no-progress']

/** Some 7,000 objects: git walks a shorter history faster than a process starts. */
const worthIndexingBytes = 200_000

/** Whether a repository is large enough to benefit from an index of its history. */
export async function isWorthIndexing(gitDir: string): Promise<boolean> {
  return (await measurePackIndexes(gitDir)) >= worthIndexingBytes
}

/** Bytes of the indexes of all packs, some 28 per object; 0 if there is no pack. */
async function measurePackIndexes(gitDir: string): Promise<number> {
  const folder = path.join(gitDir, 'objects/pack')
  // Absent: no pack.
  const names = await readdir(folder).catch(whenAbsent([]))
  const sizes = names
    .filter((name) => name.endsWith('.idx'))
    .map((name) =>
      stat(path.join(folder, name))
        .then(({ size }) => size)
        // Removed since the folder was listed.
        .catch(whenAbsent(0)),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
