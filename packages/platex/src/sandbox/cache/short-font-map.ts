/**
 * A short font map for pdfTeX.
 *
 * The map of TeX Live has 38,000 lines, which pdfTeX parses before its first page and frees before the PDF is complete:
 * nearly half of the work for a page. Most lines are of large font families, whose metrics the list of pdfTeX omits as well
 * (`file-lists.ts`). The short map omits those lines. A program sees it in place of the whole map if it is told to, and
 * records every metrics file that it opens, so that its caller knows whether it needs the whole map.
 */
import { createHash } from 'node:crypto'
import { readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FONT_MAP_PATH, type TexInstallation } from '../tex-installation.ts'
import { prepareFolderOnce } from './cache-folder.ts'
import { findLongLists, isLargeFamily, splitList } from './file-lists.ts'

/** Which font map a program reads. */
export type FontMap = 'short' | 'whole'

/** What a document may read without needing the whole map. Paths are those under which programs open the files. */
export interface ShortFontMapScope {
  /** Folders of the metrics of the fonts that the short map omits. */
  readonly omittedFolders: ReadonlySet<string>
  /** Pictures of the installation that contain no text. pdfTeX replaces the fonts of others by those of its map. */
  readonly picturesWithoutFonts: ReadonlySet<string>
}

/** The short map, and what it stands for. */
export interface ShortFontMap extends ShortFontMapScope {
  /** On the host. */
  readonly path: string
  /** The whole map, without links. */
  readonly replaces: string
}

const MAP_NAME = 'pdftex.map'
const SCOPE_NAME = 'scope.json'
/** Icons of document classes are small, and fonts are not. */
const MAX_PICTURE_BYTES = 64 * 1024
/** Of a font, and of compressed objects, which may be fonts. */
const FONT_MARKS = ['/Font', '/ObjStm']

/** Prepares the short map; null if the installation has no map of that kind, or several. */
export async function prepareShortFontMap(
  cacheDir: string,
  { trees, fingerprint }: TexInstallation,
): Promise<ShortFontMap | null> {
  try {
    const found = await Promise.all(trees.map((tree) => realpath(join(tree, FONT_MAP_PATH)).catch(() => null))) // Most have none.
    const [replaces, another] = found.filter((path) => path !== null)
    if (replaces === undefined || another !== undefined || !trees.some((tree) => replaces.startsWith(`${tree}/`)))
      return null
    const whole = await readFile(replaces)
    const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16)
    const folder = join(cacheDir, `short-lists-map-2-${digest}-${fingerprint}`)
    await prepareFolderOnce(folder, async (draft) => {
      const folders = await listFolders(trees)
      const { map, omittedFolders } = shortenMap(whole.toString('latin1'), listMetrics(folders))
      const picturesWithoutFonts = await listPicturesWithoutFonts(folders)
      await writeFile(join(draft, MAP_NAME), map, 'latin1')
      await writeFile(join(draft, SCOPE_NAME), JSON.stringify({ omittedFolders, picturesWithoutFonts }))
    })
    const scope = JSON.parse(await readFile(join(folder, SCOPE_NAME), 'utf8')) as Record<
      keyof ShortFontMapScope,
      string[]
    >
    return {
      path: join(folder, MAP_NAME),
      replaces,
      omittedFolders: new Set(scope.omittedFolders),
      picturesWithoutFonts: new Set(scope.picturesWithoutFonts),
    }
  } catch {
    return null // The programs then read the whole map, which is only slower.
  }
}

/** A folder of metrics. */
export interface MetricsFolder {
  readonly path: string
  /** Without their ending. */
  readonly fonts: readonly string[]
  readonly isOmitted: boolean
}

/** A folder of a tree. */
interface TreeFolder {
  readonly tree: string
  /** Relative to the tree. */
  readonly name: string
  readonly files: readonly string[]
}

async function listFolders(trees: readonly string[]): Promise<readonly TreeFolder[]> {
  const lists = await findLongLists(trees)
  const folders = lists.map(async ({ tree, path }) =>
    splitList(await readFile(path, 'latin1')).map(({ name, files }) => ({ tree, name, files })),
  )
  return (await Promise.all(folders)).flat()
}

function listMetrics(folders: readonly TreeFolder[]): readonly MetricsFolder[] {
  return folders
    .filter(({ name }) => name.startsWith('fonts/tfm/'))
    .map(({ tree, name, files }) => ({
      path: join(tree, name),
      fonts: files.map((file) => file.replace(/\.tfm$/, '')),
      isOmitted: isLargeFamily({ name, fileCount: files.length }),
    }))
}

/** Those that classes and packages may draw. */
async function listPicturesWithoutFonts(folders: readonly TreeFolder[]): Promise<readonly string[]> {
  const paths = folders
    .filter(({ name }) => name.startsWith('tex/'))
    .flatMap(({ tree, name, files }) =>
      files.filter((file) => file.endsWith('.pdf')).map((file) => join(tree, name, file)),
    )
  const found: string[] = []
  for (const path of paths) if (await isPictureWithoutFonts(path)) found.push(path)
  return found
}

/** Exported for tests. */
export async function isPictureWithoutFonts(path: string): Promise<boolean> {
  try {
    const { size } = await stat(path)
    if (size > MAX_PICTURE_BYTES) return false
    const bytes = await readFile(path)
    return !FONT_MARKS.some((mark) => bytes.includes(mark))
  } catch {
    return false // The list of the tree is out of date.
  }
}

/** The map without the fonts of the omitted folders; a font that is in another folder as well stays. Exported for tests. */
export function shortenMap(
  whole: string,
  folders: readonly MetricsFolder[],
): { readonly map: string; readonly omittedFolders: readonly string[] } {
  const omittedFolders = folders.filter(({ isOmitted }) => isOmitted)
  const omitted = new Set(omittedFolders.flatMap(({ fonts }) => fonts))
  for (const { fonts, isOmitted } of folders) if (!isOmitted) for (const font of fonts) omitted.delete(font)
  const map = whole
    .split('\n')
    .filter((line) => !omitted.has(line.split(/\s/, 1)[0] ?? ''))
    .join('\n')
  return { map, omittedFolders: omittedFolders.map(({ path }) => path) }
}
