/**
 * Short lists of files for programs that search few of the folders of a TeX tree.
 *
 * Every program with kpathsea reads the list of files (`ls-R`) of each TeX tree when it starts. That of TeX Live has 4 MB,
 * mostly of fonts, and takes BibTeX 80 of its 90 ms and pdfTeX 65 of 150. BibTeX, makeindex and biber search for styles
 * and databases only, which are in three folders. pdfTeX, XeTeX and its PDF driver search everything except documentation,
 * sources, and the tables of TeX4ht. They see a list without the other folders in its place. LuaTeX sees the whole list,
 * because documents can search for any file from Lua.
 */

import { createHash } from 'node:crypto'
import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareFolderOnce } from './cache-folder.ts'
import type { TexInstallation } from '../tex-installation.ts'

/** A list, and what it stands for. */
export interface ShortFileList {
  readonly kind: ListKind
  /** On the host. */
  readonly path: string
  /** The list of the tree, without links. */
  readonly replaces: string
}

/** The folders that a group of programs searches. */
export type ListKind = 'engine' | 'tool'

const KINDS: ReadonlyMap<string, ListKind> = new Map([
  ...['pdflatex', 'latex', 'xelatex', 'xdvipdfmx'].map((program) => [program, 'engine'] as const),
  ...['bibtex', 'bibtex8', 'biber', 'makeindex', 'makeglossaries'].map((program) => [program, 'tool'] as const),
])

const IS_SEARCHED: Readonly<Record<ListKind, (folder: string) => boolean>> = {
  engine: (folder) => !/^(?:doc|source|tex4ht|fonts\/source)(?:\/|$)/.test(folder),
  tool: (folder) => /^(?:bibtex|biber|makeindex)(?:\/|$)/.test(folder),
}

/** Shorter lists are read at once. */
const LONG_LIST_BYTES = 256 * 1024

/** The lists in which a program finds all its files; none = the long ones. */
export function shortListsOf(program: string, lists: readonly ShortFileList[]): readonly ShortFileList[] {
  const kind = KINDS.get(program)
  return lists.filter((list) => list.kind === kind)
}

/** Prepares the short lists of the trees. */
export async function prepareShortLists(
  cacheDir: string,
  { trees, fingerprint }: TexInstallation,
): Promise<readonly ShortFileList[]> {
  const folder = join(cacheDir, `short-lists-${fingerprint}`)
  const long = await findLongLists(trees)
  const lists = long.flatMap((replaces) =>
    (['engine', 'tool'] as const).map((kind) => ({ kind, replaces, path: join(folder, nameOf(kind, replaces)) })),
  )
  try {
    await prepareFolderOnce(folder, async (draft) => {
      for (const { kind, replaces } of lists) {
        const list = shorten(await readFile(replaces, 'latin1'), kind)
        await writeFile(join(draft, nameOf(kind, replaces)), list, 'latin1')
      }
    })
    return lists
  } catch {
    return [] // The programs then read the long lists, which is only slower.
  }
}

/** The part of a list that some programs search. Exported for tests. */
export function shorten(list: string, kind: ListKind): string {
  let isKept = true
  const kept = list.split('\n').filter((line) => {
    if (line.startsWith('./') && line.endsWith(':')) isKept = IS_SEARCHED[kind](line.slice('./'.length, -1))
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

function nameOf(kind: ListKind, path: string): string {
  return `${kind}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
}
