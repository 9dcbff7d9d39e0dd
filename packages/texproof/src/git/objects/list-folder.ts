import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { ObjectPool } from './object-pool.ts'
import { findTreeEntry, parseTree } from './parse-tree.ts'
import { readObject, type GitObject } from './read-objects.ts'
import type { TreeEntry } from '../types.ts'

/** Maximum bytes of one folder's tree object: some 200,000 entries. */
export const maxTreeBytes = 8 * 1024 * 1024

/** Maximum entries of a listing: a page shows a thousand, and sorting 200,000 takes half a second. */
export const maxListedEntries = 10_000

/**
 * Lists one folder of a commit up to `maxListedEntries`, folders first and then by name; null if there is no such
 * commit or folder.
 *
 * `path` is `/`-separated without leading and trailing slashes; `''` is the root folder.
 */
export async function listFolder(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly commitId: string; readonly path: string },
): Promise<readonly TreeEntry[] | null> {
  const tree = await openFolder(pool, gitDir, options)
  const entries = tree && parseTree(tree.bytes, tree.objectId.length / 2, maxListedEntries)
  return entries?.toSorted((left, right) => rank(left) - rank(right) || compareUtf8(left.name, right.name)) ?? null
}

/** Finds one entry of a folder of a commit, even in a folder with more entries than `maxListedEntries`. */
export async function findInFolder(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly commitId: string; readonly path: string; readonly name: string },
): Promise<TreeEntry | null> {
  const tree = await openFolder(pool, gitDir, options)
  return tree && findTreeEntry(tree.bytes, tree.objectId.length / 2, options.name)
}

async function openFolder(
  pool: ObjectPool,
  gitDir: string,
  options: { readonly commitId: string; readonly path: string },
): Promise<GitObject | null> {
  let tree = await readTree(pool, gitDir, { objectId: options.commitId, peelTo: 'tree' })
  for (const name of options.path === '' ? [] : options.path.split('/')) {
    const folder: TreeEntry | null = tree && findTreeEntry(tree.bytes, tree.objectId.length / 2, name)
    if (folder?.kind !== 'folder') return null
    tree = await readTree(pool, gitDir, { objectId: folder.objectId, peelTo: null })
  }
  return tree
}

async function readTree(
  pool: ObjectPool,
  gitDir: string,
  name: { readonly objectId: string; readonly peelTo: 'tree' | null },
): Promise<GitObject | null> {
  const tree = await readObject(pool, gitDir, { ...name, maxBytes: maxTreeBytes })
  return tree?.type === 'tree' ? tree : null
}

function rank(entry: TreeEntry): number {
  return entry.kind === 'folder' ? 0 : 1
}
