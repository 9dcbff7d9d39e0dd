/**
 * Which package provides a TeX file, font or program: the indexes in `data/package-index`, one per release of a
 * distribution, made by `npm run package-index`.
 *
 * An index is searched as text: lookups are rare, and a map of 120,000 names would occupy memory all the time. Documents
 * choose the names, so every lookup is one or two passes over the text, whatever the name.
 */
import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const DATA = new URL('../../data/', import.meta.url)
const FONT_FILE = /(?<= )\S+\.(?:otf|ttf|ttc)(?= )/gi
/** What follows the family in the name of a font file. */
const STYLE =
  /^(?:thin|extralight|light|regular|reg|roman|book|text|medium|semibold|demibold|bold|black|italic|oblique|variable|vf|wght|r|b|i|bi|\d\d?)*$/

/** Packages that provide a name. */
export interface IndexedPackage {
  readonly debian: string
  /** null when TeX Live has none, or the index does not tell. */
  readonly texlive: string | null
}

/** The packages of one release. */
export interface PackageIndex {
  /** By the name of a file without its folder (`siunitx.sty`), or `bin/NAME`. */
  find(name: string): IndexedPackage | null
  /** By the name of a package of TeX Live: `siunitx`. */
  findTexLivePackage(name: string): IndexedPackage | null
  /** By the name of a font family: `TeX Gyre Termes`. */
  findFont(family: string): IndexedPackage | null
}

/** Names of the releases that have an index: `debian-12`, `ubuntu-24.04`. */
export async function listIndexedReleases(): Promise<readonly string[]> {
  const names = await readdir(new URL('package-index/', DATA))
  return names.map((name) => name.replace(/\.txt\.br$/, '')).toSorted()
}

/** Reads the index of a release that has one. */
export async function openPackageIndex(release: string): Promise<PackageIndex> {
  const packed = await readFile(new URL(`package-index/${release}.txt.br`, DATA))
  // Every word stands between two spaces.
  const text = (await promisify(brotliDecompress)(packed)).toString().replaceAll('\n', ' \n')
  const aliases: unknown = JSON.parse(await readFile(new URL('font-files.json', DATA), 'utf8'))
  const fileOfFamily = new Map(Object.entries(aliases ?? {}))
  const find = (name: string): IndexedPackage | null => findName(text, name)
  let fontFiles: readonly FontFile[] | null = null
  return {
    find,
    findTexLivePackage: (name) => findSecondWord(text, name),
    findFont(family) {
      const file = fileOfFamily.get(squeeze(family)) ?? findFontFile((fontFiles ??= listFontFiles(text)), family)
      return typeof file === 'string' ? find(file) : null
    },
  }
}

function findName(text: string, name: string): IndexedPackage | null {
  if (name === '' || /\s/.test(name)) return null
  for (let at = text.indexOf(` ${name} `); at >= 0; at = text.indexOf(` ${name} `, at + 1)) {
    const start = text.lastIndexOf('\n', at) + 1
    const [debian = '', texlive = '-'] = text.slice(start, start + 200).split(' ', 2)
    // The second word of a line is a package and not a file.
    if (at > start + debian.length) return { debian, texlive: texlive === '-' ? null : texlive }
  }
  return null
}

function findSecondWord(text: string, name: string): IndexedPackage | null {
  if (name === '' || /\s/.test(name)) return null
  for (let at = text.indexOf(` ${name} `); at >= 0; at = text.indexOf(` ${name} `, at + 1)) {
    const debian = text.slice(text.lastIndexOf('\n', at) + 1, at)
    if (!debian.includes(' ')) return { debian, texlive: name }
  }
  return null
}

interface FontFile {
  readonly file: string
  readonly stem: string
  /** XeTeX finds a family only among the fonts of the system, and those are in packages of their own. */
  readonly isSystemFont: boolean
}

function listFontFiles(text: string): readonly FontFile[] {
  return text.split('\n').flatMap((line) => {
    const isSystemFont = line.startsWith('fonts-')
    const files = [...line.matchAll(FONT_FILE)].map(([file]) => file)
    return files.map((file) => ({ file, stem: squeeze(file.replace(/\.\w+$/, '')), isSystemFont }))
  })
}

/** The file of a family's upright face, by its name; without `SC` or `Pro` at the end of the family where that helps. */
function findFontFile(files: readonly FontFile[], family: string): string | null {
  const wanted = squeeze(family)
  if (wanted.length < 3) return null
  const [best] = files
    .filter(({ stem }) => stem.startsWith(wanted) && STYLE.test(stem.slice(wanted.length)))
    .map(({ file, stem, isSystemFont }) => ({ file, rank: `${isSystemFont ? 0 : 1} ${stem.length} ${stem}` }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : 1))
  if (best !== undefined) return best.file
  const shorter = family.replace(/ \S{1,3}$/, '')
  return shorter === family ? null : findFontFile(files, shorter)
}

function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
