import { compareUtf8 } from '../domain/compare-utf8.ts'
import type { ObjectPool } from './object-pool.ts'
import { parseTree } from './parse-tree.ts'
import { readObject } from './read-objects.ts'
import type { TreeEntry } from './types.ts'

/** Bytes of one folder's tree object read at most: some 200,000 entries. */
export const maxTreeBytes = 8 * 1024 * 1024

/**
 * Lists one folder of a commit, folders first and then by name; null when there is no such commit or folder.
 *
 * `path` is `/`-separated without slashes at its ends; `''` is the root.
 */
export async function listFolder(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly commitId: string; readonly path: string },
): Promise<readonly TreeEntry[] | null> {
  let entries = await readTree(pool, gitDir, { objectId: options.commitId, peelTo: 'tree' })
  for (const name of options.path === '' ? [] : options.path.split('/')) {
    const folder: TreeEntry | undefined = entries?.find((entry) => entry.name === name && entry.kind === 'folder')
    if (folder === undefined) return null
    entries = await readTree(pool, gitDir, { objectId: folder.objectId, peelTo: null })
  }
  return entries?.toSorted((left, right) => rank(left) - rank(right) || compareUtf8(left.name, right.name)) ?? null
}

async function readTree(
  pool: ObjectPool,
  gitDir: string,
  name: { readonly objectId: string; readonly peelTo: 'tree' | null },
): Promise<readonly TreeEntry[] | null> {
  const tree = await readObject(pool, gitDir, { ...name, maxBytes: maxTreeBytes })
  return tree === null || tree.type !== 'tree' ? null : parseTree(tree.bytes, tree.objectId.length / 2)
}

function rank(entry: TreeEntry): number {
  return entry.kind === 'folder' ? 0 : 1
}
