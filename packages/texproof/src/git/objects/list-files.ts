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

/** Lists every file of a commit by path; null if the commit is absent, deeper than 64 folders, over `maxFiles` or with too long a path. */
export async function listFiles(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly commitId: string; readonly maxFiles: number },
): Promise<readonly TreeFile[] | null> {
  const listing: Listing = { leaves: [], folderCount: 1, maxFiles: options.maxFiles }
  let folders: readonly Folder[] = [{ prefix: '', name: { objectId: options.commitId, peelTo: 'tree' } }]
  for (let depth = 0; folders.length > 0; depth += 1) {
    const below = depth > maxDepth ? null : await readLevel(pool, gitDir, folders, listing)
    if (below === null) return null
    folders = below
  }
  return addSizes(pool, gitDir, listing.leaves)
}

/** Files found so far. */
interface Listing {
  readonly leaves: Leaf[]
  folderCount: number
  readonly maxFiles: number
}

interface Folder {
  /** Path from the root folder with a trailing slash; `''` for the root folder. */
  readonly prefix: string
  readonly name: ObjectName
}

type Leaf = Omit<TreeFile, 'size'>

/** Adds the files of one level, and returns the folders below it; null once the listing is over its limits. */
async function readLevel(
  pool: ObjectPool,
  gitDir: string,
  folders: readonly Folder[],
  listing: Listing,
): Promise<readonly Folder[] | null> {
  const below: Folder[] = []
  for (let start = 0; start < folders.length; start += foldersAtOnce) {
    const some = folders.slice(start, start + foldersAtOnce)
    const trees = await readObjects(pool, gitDir, { names: some.map(({ name }) => name), maxBytes: maxTreeBytes })
    for (const [index, { prefix }] of some.entries()) {
      const tree = trees[index] ?? null
      const entries =
        tree === null || tree.type !== 'tree'
          ? null
          : parseTree(tree.bytes, tree.objectId.length / 2, maxFolders(listing))
      if (entries === null) return null
      if (entries.some(({ name }) => prefix.length + name.length > maxPathLength)) return null
      for (const entry of entries) sortOut(entry, { prefix, listing, below })
      // Each tree counts before the next: one level can name the same large tree thousands of times.
      if (listing.leaves.length > listing.maxFiles || listing.folderCount > maxFolders(listing)) return null
    }
  }
  return below
}

/** git stores no empty folders, so an ordinary tree has few more folders than files. */
function maxFolders({ maxFiles }: Listing): number {
  return maxFiles * 2 + 64
}

function sortOut(
  { name, kind, objectId }: TreeEntry,
  { prefix, listing, below }: { readonly prefix: string; readonly listing: Listing; readonly below: Folder[] },
): void {
  const path = prefix + name
  if (kind === 'folder') {
    below.push({ prefix: `${path}/`, name: { objectId, peelTo: null } })
    listing.folderCount += 1
  } else listing.leaves.push({ path, objectId, kind })
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

/** The longest path of Linux. The files of a folder with a name of a megabyte need a megabyte of memory each. */
const maxPathLength = 4096

/** Bounds memory: 32 trees of the maximum size are 256 MB; the trees of a paper are far smaller. */
const foldersAtOnce = 32
