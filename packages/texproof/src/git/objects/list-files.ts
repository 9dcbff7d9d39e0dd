/**
 * Lists every file of a commit level by level: each level of folders takes one exchange with git, not one per folder.
 *
 * A push of a few kilobytes can contain a tree of 100 million paths (folders that refer to the same subfolders), so
 * files and folders are counted before they are read. A listing over the limit is refused instead of truncated:
 * otherwise, half a document would be compiled as if it were complete.
 */
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { refuseDamaged } from './damaged-object.ts'
import { maxTreeBytes } from './list-folder.ts'
import type { ObjectPool } from './object-pool.ts'
import { parseTree } from './parse-tree.ts'
import { readObjects, type ObjectName } from './read-objects.ts'
import type { TreeEntry, TreeFile } from '../types.ts'

/** Lists every file of a commit by path; null if the commit is absent, deeper than 64 folders or over `maxFiles`. */
export async function listFiles(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly commitId: string; readonly maxFiles: number },
): Promise<readonly TreeFile[] | null> {
  const leaves: Leaf[] = []
  let folders: readonly Folder[] = [{ prefix: '', name: { objectId: options.commitId, peelTo: 'tree' } }]
  let folderCount = 1
  for (let depth = 0; folders.length > 0; depth += 1) {
    const level = await readLevel(pool, gitDir, folders, options)
    if (level === null || depth > maxDepth) return null
    leaves.push(...level.leaves)
    folders = level.folders
    folderCount += folders.length
    // git stores no empty folders, so an ordinary tree has few more folders than files.
    if (leaves.length > options.maxFiles || folderCount > options.maxFiles * 2 + 64) return null
  }
  return addSizes(pool, gitDir, leaves)
}

interface Folder {
  /** Path from the root folder with a trailing slash; `''` for the root folder. */
  readonly prefix: string
  readonly name: ObjectName
}

type Leaf = Omit<TreeFile, 'size'>

async function readLevel(
  pool: ObjectPool,
  gitDir: string,
  folders: readonly Folder[],
  { maxFiles }: { readonly maxFiles: number },
) {
  const leaves: Leaf[] = []
  const below: Folder[] = []
  for (let start = 0; start < folders.length; start += foldersAtOnce) {
    const some = folders.slice(start, start + foldersAtOnce)
    const trees = await readObjects(pool, gitDir, { names: some.map(({ name }) => name), maxBytes: maxTreeBytes })
    for (const [index, { prefix }] of some.entries()) {
      const tree = trees[index] ?? null
      const entries =
        tree === null || tree.type !== 'tree'
          ? null
          : parseTree(tree.bytes, tree.objectId.length / 2, 2 * maxFiles + 64)
      if (entries === null) return null
      for (const entry of entries) sortOut(entry, { prefix, leaves, below })
    }
  }
  return { leaves, folders: below }
}

function sortOut({ name, kind, objectId }: TreeEntry, into: { prefix: string; leaves: Leaf[]; below: Folder[] }): void {
  const path = into.prefix + name
  if (kind === 'folder') into.below.push({ prefix: `${path}/`, name: { objectId, peelTo: null } })
  else into.leaves.push({ path, objectId, kind })
}

/** A submodule is a commit of another repository and has no size here. A file without a size is damaged. */
async function addSizes(
  pool: ObjectPool,
  gitDir: string,
  leaves: readonly Leaf[],
): Promise<readonly TreeFile[] | null> {
  const blobIds = [...new Set(leaves.filter(({ kind }) => kind !== 'submodule').map(({ objectId }) => objectId))]
  const replies = await pool.ask(
    gitDir,
    blobIds.map((objectId) => ({ command: 'info', objectId, peelTo: null })),
  )
  refuseDamaged(
    gitDir,
    blobIds.map((objectId) => ({ objectId })),
    replies,
  )
  const sizes = new Map<string, number>()
  for (const reply of replies) if (reply.kind === 'object') sizes.set(reply.objectId, reply.size)
  if (sizes.size < blobIds.length) return null
  return leaves
    .map((leaf) => ({ ...leaf, size: sizes.get(leaf.objectId) ?? 0 }))
    .sort((left, right) => compareUtf8(left.path, right.path))
}

const maxDepth = 64

/** Bounds memory: 32 trees of the maximum size are 256 MB; those of a paper are far smaller. */
const foldersAtOnce = 32
