/**
 * The whole environment of a confined program: an allow-list, nothing is inherited from the host.
 *
 * HOME does not exist, because TeX reads configuration below it that may run commands (`dvipdfmx.cfg`, `mktex.cnf`).
 * `openin_any` and `shell_escape` are a second layer only: Lua, biber and the PDF drivers ignore them. Under bubblewrap
 * `openin_any` is `r` (no hidden files): packages read `/dev/null` to recognize the platform, documents read
 * `../shared/macros`, and no files of other users are visible. Without a sandbox it is `p` (no absolute or parent
 * path). The line lengths keep the log unwrapped, so that the parser need not guess where TeX broke a line; an
 * `error_line` of 256 or more makes TeX stop at once.
 */

import { inputPath, madeFontDir, texFolder } from './cache/supplement.ts'

/** Variable with the folder of our own TeX files, for documents that set `TEXINPUTS`. Kpathsea expands it. */
export const SUPPLEMENT_VARIABLE = 'PLATEX_SUPPLEMENT'
/** Path of the document folder for a confined program. */
export const CONFINED_WORKSPACE = '/compile'
/** Path of the scratch folder for a confined program. */
export const CONFINED_SCRATCH = '/tmp'

export interface ConfinedFolders {
  /** Folders of programs, joined by `:`. */
  readonly path: string
  /** True if bubblewrap hides the host's files. */
  readonly isIsolated: boolean
  /** Path of the scratch folder for the program. */
  readonly scratchDir: string
  /** Path of our own TeX tree for the program. */
  readonly supplementDir: string
  /** Path of the prebuilt font caches for the program, or null while there are none. */
  readonly fontCacheDir: string | null
  /** Path of the unpacked formats for the program, or null when there are none. */
  readonly formatDir: string | null
  /** TeX trees whose lists omit metrics of fonts: programs search these on the disk. */
  readonly metricTrees: readonly string[]
}

/**
 * Settings of the C library: freed pieces of up to 128 bytes are kept for reuse instead of being merged. At its end, pdfTeX
 * frees each of the 39,000 lines of its font map before the PDF is complete.
 */
const C_LIBRARY = 'glibc.malloc.tcache_max=128:glibc.malloc.tcache_count=65535'

/** The environment every confined program starts with, before the additions of its command. */
export function confinedEnvironment(folders: ConfinedFolders): Readonly<Record<string, string>> {
  const texmfVar = `${folders.scratchDir}/texmf-var`
  return {
    PATH: folders.path,
    HOME: '/nonexistent',
    TMPDIR: folders.scratchDir,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    GLIBC_TUNABLES: C_LIBRARY,
    openin_any: folders.isIsolated ? 'r' : 'p',
    openout_any: 'p',
    shell_escape: 'f',
    TEXMFHOME: '/nonexistent',
    TEXMFCONFIG: '/nonexistent',
    TEXMFVAR: texmfVar,
    // luaotfload writes to the first writable folder and reads from all of them.
    TEXMFCACHE: folders.fontCacheDir === null ? texmfVar : `${texmfVar}:${folders.fontCacheDir}/texmf-var`,
    // The final colon stands for the default path of formats.
    ...(folders.formatDir === null ? {} : { TEXFORMATS: `${folders.formatDir}:` }),
    XDG_CACHE_HOME: folders.fontCacheDir === null ? `${folders.scratchDir}/xdg` : `${folders.fontCacheDir}/xdg`,
    // The first colon stands for the default path, which is limited to the lists.
    ...(folders.metricTrees.length === 0
      ? {}
      : { TFMFONTS: ['', ...folders.metricTrees.map((tree) => `${tree}/fonts/tfm//`)].join(':') }),
    // Fonts from a document's own sources are made below TEXMFVAR.
    VARTEXFONTS: folders.isIsolated ? madeFontDir(folders.supplementDir) : `${texmfVar}/fonts`,
    TEXINPUTS: inputPath(folders.supplementDir),
    [SUPPLEMENT_VARIABLE]: texFolder(folders.supplementDir),
    MKTEXTEX: '0',
    TECTONIC_CACHE_DIR: `${folders.scratchDir}/tectonic`,
    max_print_line: '10000',
    error_line: '254',
    half_error_line: '238',
  }
}
