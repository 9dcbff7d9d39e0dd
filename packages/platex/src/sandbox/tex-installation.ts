/**
 * The parts of the host's TeX visible to confined programs: the programs by name, and the trees they read.
 *
 * A distribution's TeX is in /usr, and `kpsewhich` returns its trees; an installation of its own (for instance below
 * /usr/local/texlive) is one tree that also contains its programs, which find their configuration by relative paths and
 * must therefore stay in place. If such programs are elsewhere, for instance in /opt/conda/bin, their folder is visible
 * instead of one tree.
 */
import { createHash } from 'node:crypto'
import { access, constants, readdir, realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fingerprintFolders, listFontFolders } from './font-folders.ts'
import { captureOutput } from './capture-output.ts'

/** Programs of a compile, and those that inspect its result. */
const TEX_PROGRAMS = `
  pdftex pdflatex latex platex uplatex xetex xelatex luatex luahbtex lualatex texlua tectonic
  bibtex bibtex8 bibtexu pbibtex upbibtex biber makeindex upmendex xindy texindy dvips dvipdfmx xdvipdfmx extractbb
  kpsewhich kpsestat kpseaccess mktexpk mktextfm mktexmf mf mf-nowin gftopk gregorio luaotfload-tool synctex
  gs rungs rsvg-convert tiff2pdf latexdiff pdftoppm pdftocairo pdftotext pdfinfo pdffonts pdfimages
`

/**
 * Programs called by their scripts: biber is Perl, xindy is Perl around Lisp with a gzipped image, XeTeX starts its
 * driver through `sh`, the font makers are shell scripts.
 */
const SYSTEM_PROGRAMS = `
  prlimit perl sh awk basename cat chmod clisp cmp cp cut date dirname egrep env expr grep gzip head id ls mkdir mv pwd rm sed sleep sort
  tail test tex2xindy [ touch tr uname
`

const STANDARD_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/Library/TeX/texbin', '/opt/homebrew/bin']

/** Package data outside the TeX trees that TeX, fontconfig, Perl and the PDF drivers read. */
const SYSTEM_TREES = [
  '/usr/share/texmf',
  '/usr/local/share/texmf',
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  '/usr/share/fontconfig',
  '/usr/share/poppler',
  '/usr/share/ghostscript',
  '/usr/share/color',
  '/etc/ghostscript',
  '/var/lib/ghostscript',
  '/usr/share/perl',
  '/usr/share/perl5',
  // xindy's Lisp requires it, whatever the language.
  '/usr/share/locale',
  '/usr/share/xindy',
  '/usr/lib/locale/C.utf8',
  '/etc/fonts',
  '/etc/texmf',
  '/var/lib/texmf',
  '/var/cache/fontconfig',
  '/etc/ld.so.cache',
]

/** Never visible as a whole: they contain far more than TeX. */
const SHARED_FOLDERS = ['/', '/usr', '/opt', '/home', '/root', '/srv', '/var']

const LIBRARY_TRIPLET: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

export interface InstalledProgram {
  /** Absolute path under the requested name. */
  readonly path: string
  /** Path with all links resolved. */
  readonly realPath: string
}

export interface TexInstallation {
  /** Programs by name; absent = not installed. */
  readonly programs: ReadonlyMap<string, InstalledProgram>
  /** Folder of the programs of a TeX installation outside /usr/bin, or null. */
  readonly ownProgramDir: string | null
  /** Absolute paths to bind read-only under their own names; none is below another. */
  readonly trees: readonly string[]
  /** Changes whenever a program or a tree does. */
  readonly fingerprint: string
  /** Changes whenever a program does. */
  readonly programFingerprint: string
  /** Files and folders, one of which changes whenever a program, a TeX file, a format or a font is added or removed. */
  readonly watched: readonly string[]
}

/** Searches `searchPath` (folders joined by `:`) for TeX, then the standard folders. */
export async function findTexInstallation(searchPath: string): Promise<TexInstallation> {
  const folders = [...searchPath.split(':').filter((folder) => folder.startsWith('/')), ...STANDARD_FOLDERS]
  folders.push(...(await texLiveFolders()), ...findTectonicPackage())
  const programs = await findPrograms(folders)
  const home = await homeFolder()
  const ownProgramDir = ownFolder(programs, home)
  const texFolders = (await texTrees(programs, ownProgramDir)).filter((folder) => !isShared(folder, home))
  const trees = withoutNested(await existing([...texFolders, ...(await systemTrees())]))
  const realPaths = [...programs.values()].map((program) => program.realPath)
  const fontFolders = await listFontFolders()
  const lists = trees.map((tree) => join(tree, 'ls-R'))
  const maps = trees.map((tree) => join(tree, FONT_MAP_PATH))
  const formats = trees.flatMap((tree) => FORMAT_FOLDERS.map((folder) => join(tree, folder)))
  return {
    programs,
    ownProgramDir,
    trees,
    fingerprint: await fingerprintOf(realPaths, { trees, fonts: await fingerprintFolders(fontFolders) }),
    programFingerprint: await fingerprintOf(realPaths, { trees: [], fonts: '' }),
    watched: [...new Set([...folders, ...realPaths, ...lists, ...maps, ...fontFolders, ...formats])],
  }
}

async function texLiveFolders(): Promise<string[]> {
  const years = await readdir('/usr/local/texlive').catch(() => []) // TeX Live is not installed there.
  const platform = process.arch === 'arm64' ? 'aarch64-linux' : 'x86_64-linux'
  return years
    .sort()
    .reverse()
    .map((year) => `/usr/local/texlive/${year}/bin/${platform}`)
}

/** A folder of the search path, and its entries; null if it may be searched but not listed. */
interface ProgramFolder {
  readonly folder: string
  readonly entries: ReadonlySet<string> | null
}

async function findPrograms(folders: readonly string[]): Promise<Map<string, InstalledProgram>> {
  const names = `${TEX_PROGRAMS} ${SYSTEM_PROGRAMS}`.trim().split(/\s+/)
  // Listing a folder once is faster than asking for each of eighty names.
  const listed = await Promise.all(folders.map(listProgramFolder))
  const found = await Promise.all(names.map(async (name) => [name, await findProgram(name, listed)] as const))
  return new Map(found.flatMap(([name, program]) => (program === null ? [] : [[name, program]])))
}

async function listProgramFolder(folder: string): Promise<ProgramFolder> {
  try {
    return { folder, entries: new Set(await readdir(folder)) }
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { folder, entries: isAbsent ? new Set() : null }
  }
}

async function findProgram(name: string, folders: readonly ProgramFolder[]): Promise<InstalledProgram | null> {
  for (const { folder, entries } of folders) {
    if (entries?.has(name) === false) continue
    const path = join(folder, name)
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    ) {
      return { path, realPath: await realpath(path) }
    }
  }
  return null
}

/** The home folder of the service, or `/` if it has none. */
async function homeFolder(): Promise<string> {
  try {
    return await realpath(homedir())
  } catch {
    return '/' // The user has no entry in /etc/passwd, or the folder does not exist.
  }
}

/** Whether a folder contains private files or far more than TeX: it is or contains a home folder, for instance. */
function isShared(folder: string, home: string): boolean {
  return SHARED_FOLDERS.includes(folder) || dirname(folder) === '/home' || `${home}/`.startsWith(`${folder}/`)
}

function ownFolder(programs: ReadonlyMap<string, InstalledProgram>, home: string): string | null {
  const engine = programs.get('pdflatex') ?? programs.get('lualatex') ?? programs.get('xelatex')
  const folder = engine === undefined ? null : dirname(engine.realPath)
  return folder === null || folder === '/usr/bin' || isShared(folder, home) ? null : folder
}

async function texTrees(
  programs: ReadonlyMap<string, InstalledProgram>,
  ownProgramDir: string | null,
): Promise<string[]> {
  const kpsewhich = programs.get('kpsewhich')
  if (kpsewhich === undefined) return []
  // The answer does not depend on the lists of files, and reading them takes 80 of its 85 ms.
  const env = { PATH: ownProgramDir ?? '/usr/bin', HOME: '/nonexistent', TEXMFDBS: '/nonexistent' }
  const trees = await captureOutput(kpsewhich.path, ['--expand-path=$TEXMF'], env)
  return [
    ...(ownProgramDir === null ? [] : ownTrees(ownProgramDir)),
    ...trees
      .trim()
      .split(':')
      .filter((tree) => tree.startsWith('/')),
  ]
}

/** The root of an installation with its programs in bin/<platform>; beside other folders of programs is not only TeX. */
function ownTrees(programDir: string): string[] {
  const parent = dirname(programDir)
  return basename(parent) === 'bin' ? [programDir, dirname(parent)] : [programDir]
}

async function systemTrees(): Promise<string[]> {
  const triplet = `/usr/lib/${LIBRARY_TRIPLET[process.arch] ?? ''}`
  const hasTriplet = (await existing([triplet])).length > 0
  // Debian keeps private parts of biber's parser and of xindy directly in /usr/lib, which contains far too much else.
  const isNeeded = (name: string): boolean => /^(?:libbtparse\.so|clisp-|xindy$)/.test(name)
  const loose = hasTriplet ? (await readdir('/usr/lib')).filter(isNeeded) : []
  const libraries = hasTriplet ? [triplet, ...loose.map((name) => `/usr/lib/${name}`)] : ['/usr/lib']
  // The loader's path is part of every program; if /lib64 is a link, this is its target.
  libraries.push('/usr/lib64')
  return [...SYSTEM_TREES, ...libraries]
}

async function existing(paths: readonly string[]): Promise<string[]> {
  // Paths that do not exist are dropped.
  const found = await Promise.all(paths.map(async (path) => ((await stat(path).catch(() => null)) ? path : null)))
  return found.filter((path) => path !== null)
}

function withoutNested(paths: readonly string[]): string[] {
  const sorted = [...new Set(paths.map((path) => path.replace(/\/+$/, '')))].sort()
  return sorted.filter((path) => !sorted.some((other) => path.startsWith(`${other}/`)))
}

/** Path of the font map that `updmap` writes for pdfTeX, below a tree. */
export const FONT_MAP_PATH = 'fonts/map/pdftex/updmap/pdftex.map'
/** Folders of the formats that `fmtutil` writes, below a tree. */
const FORMAT_FOLDERS = ['web2c/pdftex', 'web2c/xetex', 'web2c/luahbtex', 'web2c/eptex', 'web2c/euptex']

async function fingerprintOf(
  programPaths: readonly string[],
  { trees, fonts }: { readonly trees: readonly string[]; readonly fonts: string },
): Promise<string> {
  // A TeX tree's list of files is rewritten whenever a file is added or removed.
  const lists = trees.map((tree) => join(tree, 'ls-R'))
  const marks = await Promise.all(
    [...programPaths, ...lists].map(async (path) => {
      const found = await stat(path).catch(() => null) // A tree without ls-R has no mark.
      return found === null ? '' : `${path} ${found.size} ${found.mtimeMs}\n`
    }),
  )
  return createHash('sha256').update(marks.join('')).update(trees.join('\n')).update(fonts).digest('hex').slice(0, 16)
}

/** Output of a program of the installation about itself, without a document; null if it is missing or fails. */
export async function askProgram(
  { programs, ownProgramDir }: TexInstallation,
  name: string,
  args: readonly string[],
): Promise<string | null> {
  const program = programs.get(name)
  if (program === undefined) return null
  const env = { PATH: ownProgramDir ?? '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }
  return captureOutput(program.path, args, env).catch(() => null) // A failing program has no output.
}

/** The npm packages with a Tectonic binary in `bin/`, one per platform. */
const PACKAGE = `@node-latex-compiler/bin-${process.platform}-${process.arch}`

/**
 * Folders of Tectonic binaries installed by npm, for the current project or beside this package; at most two, and none
 * if the package is missing. It is never installed by us.
 */
export function findTectonicPackage(): readonly string[] {
  const places = [join(process.cwd(), 'package.json'), import.meta.url]
  return [...new Set(places.flatMap(findFrom))]
}

function findFrom(place: string): string[] {
  try {
    return [join(dirname(createRequire(place).resolve(`${PACKAGE}/package.json`)), 'bin')]
  } catch {
    return [] // Not installed there.
  }
}
