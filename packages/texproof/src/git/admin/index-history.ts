import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'

/** What git is told to index a history: the graph of commits, and the paths that each changed. */
export const indexHistory = ['commit-graph', 'write', '--reachable', '--changed-paths', '--split', '--no-progress']

/** Some 7,000 objects: git walks a shorter history faster than a process is started. */
const worthIndexingBytes = 200_000

/** Whether a repository is so large that an index of its history pays. */
export async function isWorthIndexing(gitDir: string): Promise<boolean> {
  return (await measurePackIndexes(gitDir)) >= worthIndexingBytes
}

/** Bytes of the indexes of all packs, some 28 an object; 0 when there is no pack. */
async function measurePackIndexes(gitDir: string): Promise<number> {
  const folder = path.join(gitDir, 'objects/pack')
  // Absent: no pack.
  const names = await readdir(folder).catch(whenAbsent([]))
  const sizes = names
    .filter((name) => name.endsWith('.idx'))
    .map((name) =>
      stat(path.join(folder, name))
        .then(({ size }) => size)
        // Gone since the folder was listed.
        .catch(whenAbsent(0)),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
