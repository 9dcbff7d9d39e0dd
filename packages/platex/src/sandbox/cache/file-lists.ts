/**
 * Short lists of files for programs that need few of them.
 *
 * Every program with kpathsea reads the list of files (`ls-R`) of each TeX tree when it starts. That of TeX Live has 4 MB,
 * mostly of fonts, and takes BibTeX 80 of its 90 ms. BibTeX, makeindex and biber search for styles and databases only,
 * which are in three folders of a tree. They see a list of these folders in its place.
 */

import { createHash } from 'node:crypto'
import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareFolderOnce } from './cache-folder.ts'
import type { TexInstallation } from '../tex-installation.ts'

/** A list, and what it stands for. */
export interface ShortFileList {
  /** On the host. */
  readonly path: string
  /** The list of the tree, without links. */
  readonly replaces: string
}

const PROGRAMS: ReadonlySet<string> = new Set(['bibtex', 'bibtex8', 'biber', 'makeindex', 'makeglossaries'])
const FOLDERS = /^\.\/(?:bibtex|biber|makeindex)(?:\/.*)?:$/
/** Shorter lists are read at once. */
const LONG_LIST_BYTES = 256 * 1024

/** Whether a program finds all its files in short lists. */
export function usesShortLists(program: string): boolean {
  return PROGRAMS.has(program)
}

/** Prepares the short lists of the trees. */
export async function prepareShortLists(
  cacheDir: string,
  { trees, fingerprint }: TexInstallation,
): Promise<readonly ShortFileList[]> {
  const folder = join(cacheDir, `lists-${fingerprint}`)
  const long = await findLongLists(trees)
  const lists = long.map((replaces) => ({ replaces, path: join(folder, nameOf(replaces)) }))
  try {
    await prepareFolderOnce(folder, async (draft) => {
      for (const { replaces } of lists)
        await writeFile(join(draft, nameOf(replaces)), shorten(await readFile(replaces, 'latin1')), 'latin1')
    })
    return lists
  } catch {
    return [] // The programs then read the long lists, which is only slower.
  }
}

/** The folders of a list that BibTeX, makeindex and biber search. Exported for tests. */
export function shorten(list: string): string {
  let isKept = true
  const kept = list.split('\n').filter((line) => {
    if (line.startsWith('./') && line.endsWith(':')) isKept = FOLDERS.test(line)
    return isKept
  })
  return `${kept.join('\n')}\n`
}

async function findLongLists(trees: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    trees.map(async (tree) => {
      const path = await realpath(join(tree, 'ls-R')).catch(() => null) // A tree without a list.
      if (path === null || !trees.some((root) => path.startsWith(`${root}/`))) return null
      return (await stat(path)).size > LONG_LIST_BYTES ? path : null
    }),
  )
  return found.filter((path) => path !== null)
}

function nameOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
