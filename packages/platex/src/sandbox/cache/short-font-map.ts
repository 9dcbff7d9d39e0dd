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
import { join, posix } from 'node:path'
import { FONT_MAP_PATH, type TexInstallation } from '../tex-installation.ts'
import { prepareFolderOnce } from './cache-folder.ts'
import { fontNamesOfPdf } from './font-names-of-pdf.ts'
import { findLongLists, isLargeFamily, splitList } from './file-lists.ts'

/** The font map that a program reads. */
export type FontMap = 'short' | 'whole'

/**
 * Files that a document may read without needing the whole map. Paths are those under which programs open the files.
 */
export interface ShortFontMapScope {
  /** Folders of the metrics of the fonts that the short map omits. */
  readonly omittedFolders: ReadonlySet<string>
  /** Pictures of the installation without fonts that the map omits: pdfTeX replaces fonts of pictures with fonts of its map. */
  readonly usablePictures: ReadonlySet<string>
  /** Packages that come with the fonts that the map omits, in lower case. */
  readonly packages: ReadonlySet<string>
}

/** The short map, and the map that it replaces. */
export interface ShortFontMap extends ShortFontMapScope {
  /** Path on the host. */
  readonly path: string
  /** The whole map, without links. */
  readonly replaces: string
}

const MAP_NAME = 'pdftex.map'
const SCOPE_NAME = 'scope.json'
/** Icons of document classes and examples are smaller. */
const MAX_PICTURE_BYTES = 64 * 1024
/** A line without one continues with a font file or an instruction. */
const POSTSCRIPT_NAME = /^[A-Za-z]/
/** pdfTeX adds these to the names of fonts that it has transformed. */
const TRANSFORMATION = /-(?:Slant|Extend)_.*/

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
    const folder = join(cacheDir, `short-lists-map-4-${digest}-${fingerprint}`)
    await prepareFolderOnce(folder, async (draft) => {
      const folders = await listFolders(trees)
      const { map, omittedFolders, omittedFonts } = shortenMap(whole.toString('latin1'), listMetrics(folders))
      const usablePictures = await listUsablePictures(folders, omittedFonts)
      await writeFile(join(draft, MAP_NAME), map, 'latin1')
      const packages = listPackages(folders, omittedFolders)
      await writeFile(join(draft, SCOPE_NAME), JSON.stringify({ omittedFolders, usablePictures, packages }))
    })
    const scope = JSON.parse(await readFile(join(folder, SCOPE_NAME), 'utf8')) as Record<
      keyof ShortFontMapScope,
      string[]
    >
    return {
      path: join(folder, MAP_NAME),
      replaces,
      omittedFolders: new Set(scope.omittedFolders),
      usablePictures: new Set(scope.usablePictures),
      packages: new Set(scope.packages),
    }
  } catch {
    return null // The programs then read the whole map, which is only slower.
  }
}

/** A folder of metrics. */
export interface MetricsFolder {
  readonly path: string
  /** File names without extension. */
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

/** A family often has another name than its package: `gentium.sty` is in the folder `gentium-tug`. Exported for tests. */
export function listPackages(
  folders: readonly Pick<TreeFolder, 'name' | 'files'>[],
  omittedFolders: readonly string[],
): readonly string[] {
  const families = new Set(omittedFolders.map((folder) => posix.basename(folder)))
  return folders
    .filter(({ name }) => name.startsWith('tex/') && families.has(posix.basename(name)))
    .flatMap(({ files }) => files.filter((file) => file.endsWith('.sty')))
    .map((file) => file.slice(0, -'.sty'.length).toLowerCase())
}

/** PDFs of TeX trees that classes and packages may include as pictures. */
async function listUsablePictures(
  folders: readonly TreeFolder[],
  omittedFonts: ReadonlySet<string>,
): Promise<readonly string[]> {
  const paths = folders
    .filter(({ name }) => name.startsWith('tex/'))
    .flatMap(({ tree, name, files }) =>
      files.filter((file) => file.endsWith('.pdf')).map((file) => join(tree, name, file)),
    )
  const found: string[] = []
  for (const path of paths) if (await isUsablePicture(path, omittedFonts)) found.push(path)
  return found
}

/** Exported for tests. */
export async function isUsablePicture(path: string, omittedFonts: ReadonlySet<string>): Promise<boolean> {
  try {
    const { size } = await stat(path)
    const names = size > MAX_PICTURE_BYTES ? null : fontNamesOfPdf(await readFile(path))
    return names?.every((name) => !omittedFonts.has(name.replace(TRANSFORMATION, ''))) ?? false
  } catch {
    return false // The list of the tree is out of date.
  }
}

/**
 * The map without the fonts of the omitted folders. A font that is in another folder as well stays, and so does one with the
 * PostScript name of a font that stays: pdfTeX finds the fonts of pictures by this name, and the first one is used.
 *
 * Exported for tests.
 */
export function shortenMap(
  whole: string,
  folders: readonly MetricsFolder[],
): {
  readonly map: string
  readonly omittedFolders: readonly string[]
  /** Names in TeX and in PostScript. */
  readonly omittedFonts: ReadonlySet<string>
} {
  const omittedFolders = folders.filter(({ isOmitted }) => isOmitted)
  const omitted = new Set(omittedFolders.flatMap(({ fonts }) => fonts))
  for (const { fonts, isOmitted } of folders) if (!isOmitted) for (const font of fonts) omitted.delete(font)
  const lines = whole.split('\n').map((line) => ({ line, names: line.split(/\s+/, 2) }))
  const stayingNames = new Set(lines.flatMap(({ names: [font = '', name = ''] }) => (omitted.has(font) ? [] : [name])))
  const stays = ({ names: [font = '', name = ''] }: (typeof lines)[number]): boolean =>
    !omitted.has(font) || (POSTSCRIPT_NAME.test(name) && stayingNames.has(name))
  return {
    map: lines
      .filter(stays)
      .map(({ line }) => line)
      .join('\n'),
    omittedFolders: omittedFolders.map(({ path }) => path),
    omittedFonts: new Set(lines.filter((line) => !stays(line)).flatMap(({ names }) => names)),
  }
}
