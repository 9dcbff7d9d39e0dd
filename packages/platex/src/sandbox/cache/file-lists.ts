/**
 * Short lists of files for programs that search few of the folders of a TeX tree.
 *
 * Every program with kpathsea reads the list of files (`ls-R`) of each TeX tree when it starts. The list of TeX Live has 4 MB,
 * mostly of fonts, and takes BibTeX 80 of its 90 ms and pdfTeX 65 of 150. BibTeX, makeindex and biber search for styles
 * and databases only, which are in three folders. pdfTeX, XeTeX and its PDF driver search everything except documentation,
 * sources, and the tables of TeX4ht. They see a list without the other folders in its place. LuaTeX sees the whole list,
 * because documents can search for any file from Lua.
 *
 * Half of what is left are the metrics of font families with hundreds of files each, which few documents use. The list of
 * pdfTeX omits them as well: it finds those metrics on the disk (`TFMFONTS`), because it requires them to exist.
 */

import { createHash } from 'node:crypto'
import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareFolderOnce } from './cache-folder.ts'
import type { TexInstallation } from '../tex-installation.ts'

/** A list, and the list that it replaces. */
export interface ShortFileList {
  readonly kind: ListKind
  /** Path on the host. */
  readonly path: string
  /** The list of the tree, without links. */
  readonly replaces: string
  readonly tree: string
}

/** The folders that a group of programs searches. */
export type ListKind = (typeof KINDS)[number]

const KINDS = ['pdftex', 'engine', 'tool'] as const

const KIND_OF_PROGRAM: ReadonlyMap<string, ListKind> = new Map([
  ...['pdflatex', 'latex'].map((program) => [program, 'pdftex'] as const),
  ...['xelatex', 'xdvipdfmx'].map((program) => [program, 'engine'] as const),
  ...['bibtex', 'bibtex8', 'biber', 'makeindex', 'makeglossaries'].map((program) => [program, 'tool'] as const),
])

/** A folder of a list, and the number of files in it. */
export interface ListedFolder {
  readonly name: string
  readonly fileCount: number
}

const IS_SEARCHED: Readonly<Record<ListKind, (folder: ListedFolder) => boolean>> = {
  pdftex: (folder) => IS_SEARCHED.engine(folder) && !isLargeFamily(folder),
  engine: ({ name }) => !/^(?:doc|source|tex4ht|fonts\/source)(?:\/|$)/.test(name),
  tool: ({ name }) => /^(?:bibtex|biber|makeindex)(?:\/|$)/.test(name),
}

/** Shorter lists are read at once. */
const LONG_LIST_BYTES = 256 * 1024
/** The metrics of a family in the usual encodings are fewer. */
const LARGE_FAMILY_FILES = 150
/** Large families of common classes and of the usual encoding T1. */
const COMMON_FAMILIES = /\/(?:ec|libertine|newtx|newpx)$/

/** True for the metrics of a font family with hundreds of files, which few documents use. */
export function isLargeFamily({ name, fileCount }: ListedFolder): boolean {
  return name.startsWith('fonts/tfm/') && fileCount > LARGE_FAMILY_FILES && !COMMON_FAMILIES.test(name)
}

/** The lists in which a program finds all its files; none = the long ones. */
export function shortListsOf(program: string, lists: readonly ShortFileList[]): readonly ShortFileList[] {
  const kind = KIND_OF_PROGRAM.get(program)
  return lists.filter((list) => list.kind === kind)
}

/** The trees among whose metrics a program finds some on the disk only, with these lists. */
export function metricTreesOf(lists: readonly ShortFileList[]): readonly string[] {
  return lists.filter((list) => list.kind === 'pdftex').map((list) => list.tree)
}

/** Prepares the short lists of the trees. */
export async function prepareShortLists(
  cacheDir: string,
  { trees, fingerprint }: TexInstallation,
): Promise<readonly ShortFileList[]> {
  const folder = join(cacheDir, `short-lists-2-${fingerprint}`)
  const long = await findLongLists(trees)
  const lists = long.flatMap(({ tree, path: replaces }) =>
    KINDS.map((kind) => ({ kind, tree, replaces, path: join(folder, nameOf(kind, replaces)) })),
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
  const [head, ...folders] = splitList(list)
  const kept = folders.filter(({ name, files }) => IS_SEARCHED[kind]({ name, fileCount: files.length }))
  return [head, ...kept].map((part) => part?.text ?? '').join('')
}

interface PartOfList {
  readonly name: string
  readonly files: readonly string[]
  readonly text: string
}

/** The parts of a list: the lines before the first folder, then each folder. Exported for `short-font-map.ts`. */
export function splitList(list: string): readonly PartOfList[] {
  return list.split(/^(?=\.\/.*:$)/m).map((text) => {
    const [first = '', ...files] = text.split('\n')
    return { name: first.slice('./'.length, -1), files: files.filter((file) => file !== ''), text }
  })
}

/** The lists of trees that are worth shortening. */
export async function findLongLists(
  trees: readonly string[],
): Promise<readonly { readonly tree: string; readonly path: string }[]> {
  const found = await Promise.all(
    trees.map(async (tree) => {
      const path = await realpath(join(tree, 'ls-R')).catch(() => null) // A tree without a list.
      if (path === null || !trees.some((root) => path.startsWith(`${root}/`))) return null
      return (await stat(path)).size > LONG_LIST_BYTES ? { tree, path } : null
    }),
  )
  return found.filter((list) => list !== null)
}

function nameOf(kind: ListKind, path: string): string {
  return `${kind}-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`
}
