/**
 * A short font map for pdfTeX.
 *
 * The map of TeX Live has 38,000 lines, which pdfTeX parses before its first page and frees before the PDF is complete:
 * nearly half of the work for a page. Most lines are of large font families, whose metrics the list of pdfTeX omits as well
 * (`file-lists.ts`). The short map omits those lines. A program sees it in place of the whole map if it is told to, and
 * records every metrics file that it opens, so that its caller knows whether it needs the whole map.
 */
import { createHash } from 'node:crypto'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FONT_MAP_PATH, type TexInstallation } from '../tex-installation.ts'
import { prepareFolderOnce } from './cache-folder.ts'
import { findLongLists, isLargeFamily, splitList } from './file-lists.ts'

/** Which font map a program reads. */
export type FontMap = 'short' | 'whole'

/** The short map, and what it stands for. */
export interface ShortFontMap {
  /** On the host. */
  readonly path: string
  /** The whole map, without links. */
  readonly replaces: string
  /** Folders of the metrics of the fonts that it omits, by the paths under which programs open them. */
  readonly omittedFolders: ReadonlySet<string>
}

const MAP_NAME = 'pdftex.map'
const FOLDERS_NAME = 'omitted.json'

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
    const folder = join(cacheDir, `short-lists-map-${digest}-${fingerprint}`)
    await prepareFolderOnce(folder, async (draft) => {
      const { map, omittedFolders } = shortenMap(whole.toString('latin1'), await listMetrics(trees))
      await writeFile(join(draft, MAP_NAME), map, 'latin1')
      await writeFile(join(draft, FOLDERS_NAME), JSON.stringify(omittedFolders))
    })
    const omittedFolders = JSON.parse(await readFile(join(folder, FOLDERS_NAME), 'utf8')) as string[]
    return { path: join(folder, MAP_NAME), replaces, omittedFolders: new Set(omittedFolders) }
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

async function listMetrics(trees: readonly string[]): Promise<readonly MetricsFolder[]> {
  const lists = await findLongLists(trees)
  const folders = lists.map(async ({ tree, path }) =>
    splitList(await readFile(path, 'latin1'))
      .filter(({ name }) => name.startsWith('fonts/tfm/'))
      .map(({ name, files }) => ({
        path: join(tree, name),
        fonts: files.map((file) => file.replace(/\.tfm$/, '')),
        isOmitted: isLargeFamily({ name, fileCount: files.length }),
      })),
  )
  return (await Promise.all(folders)).flat()
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
