/**
 * Font caches: built once from a document of our own, then read-only for every compile.
 *
 * luaotfload keeps Lua bytecode in its cache, so a cache writable by one compile would run code in the next; without a
 * cache, each compile would index every font of the host. luaotfload looks for its index of names only in the folder it
 * can write to, so each workspace gets a link to the prebuilt index there; fonts themselves it reads from all folders.
 *
 * After a font or package is installed, the index of the last installation is updated: luaotfload reads only new and
 * changed font files, which takes seconds instead of half a minute.
 */
import { cp, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'
import { chownTree, type UnprivilegedOwner } from '../unprivileged-owner.ts'
import { createWorkspace, removeWorkspace, scratchOf } from '../workspace.ts'
import { prepareFolderOnce } from './cache-folder.ts'

/** Prebuilt caches of luaotfload, luatexja and fontconfig. */
export interface FontCache {
  /** Folder on the host. */
  readonly dir: string
  /** Path of the folder for a confined program. */
  readonly insideDir: string
}

export interface FontCacheMaker {
  readonly cache: FontCache
  readonly workRoot: string
  readonly owner: UnprivilegedOwner | null
  /** Starts a program without a font cache. */
  readonly run: (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>
  /** Stops the creation; what it made is removed. */
  readonly signal?: AbortSignal
}

/** Per program. A small machine with many fonts needs minutes. */
const BUILD_TIMEOUT_MS = 600_000

/** Below the scratch folder of a workspace, and below the font cache. */
const INDEX_DIR = 'texmf-var/luatex-cache/generic/names'

/** Fingerprint of an installation, at the end of the name of a cache. */
const FINGERPRINT = /[0-9a-f]{16}$/

/**
 * Makes LuaTeX index all fonts of the host, and loads the default family of documents. luatexja, if it is installed,
 * computes tables of the Japanese fonts and looks for them in all folders of `TEXMFCACHE` too.
 */
const DOCUMENT = String.raw`
\documentclass{article}
\usepackage{fontspec}
\ifdefined\directlua\IfFileExists{luatexja.sty}{\usepackage{luatexja}}{}\fi
\newcommand\shapes{A\textbf{A}\textit{A}\textbf{\textit{A}}}
\begin{document}
\fontspec{Latin Modern Roman}\shapes \normalfont\shapes \sffamily\shapes \ttfamily\shapes
\ifdefined\ltjsetparameter\normalfont 日本語\textbf{日本語}\fi
\end{document}
`

/** Creates the caches if they are missing; null if this TeX cannot (no LuaTeX, no fontspec), or if it was stopped. */
export async function prepareFontCache(maker: FontCacheMaker): Promise<FontCache | null> {
  try {
    await prepareFolderOnce(maker.cache.dir, (draft) => buildFontCache(maker, draft), maker.signal)
    return maker.cache
  } catch {
    // Compiles then index the fonts themselves, which is slow but correct.
    return null
  }
}

async function buildFontCache(maker: FontCacheMaker, draft: string): Promise<void> {
  const { cache, workRoot, owner, run, signal } = maker
  const timed = { timeoutMs: BUILD_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) }
  const workspaceDir = await createWorkspace(workRoot, owner)
  try {
    if (await copyEarlierIndex(cache.dir, workspaceDir, owner)) {
      const command = { program: 'luaotfload-tool', args: ['--update'] }
      await run(command, { workspaceDir, ...timed })
    }
    await writeFile(join(workspaceDir, 'fonts.tex'), DOCUMENT)
    for (const program of ['lualatex', 'xelatex']) {
      const command = { program, args: ['-interaction=nonstopmode', 'fonts.tex'] }
      const { end } = await run(command, { workspaceDir, ...timed })
      // Without its index, the cache would make every later compile index all fonts again.
      if (end.kind !== 'exited' && end.kind !== 'not-found') throw new Error(`${program} did not finish: ${end.kind}`)
    }
    const scratchDir = scratchOf(workspaceDir)
    await cp(join(scratchDir, 'texmf-var'), join(draft, 'texmf-var'), { recursive: true })
    await cp(join(scratchDir, 'xdg'), join(draft, 'xdg'), { recursive: true }).catch(() => {
      // fontconfig writes nothing if the host's own cache is complete.
    })
  } finally {
    await removeWorkspace(workspaceDir)
  }
}

/** Copies the index of the last installation to a new workspace; false if there is none. */
async function copyEarlierIndex(
  cacheDir: string,
  workspaceDir: string,
  owner: UnprivilegedOwner | null,
): Promise<boolean> {
  const earlier = await findEarlierCache(cacheDir)
  if (earlier === null) return false
  const top = join(scratchOf(workspaceDir), 'texmf-var')
  const folder = join(scratchOf(workspaceDir), INDEX_DIR)
  await mkdir(folder, { recursive: true })
  const names = await listIndex(earlier)
  for (const name of names) await cp(join(earlier, INDEX_DIR, name), join(folder, name), { preserveTimestamps: true })
  if (owner !== null) await chownTree(top, owner)
  return names.length > 0
}

/** The font cache beside this one that was used last; only the fingerprint in its name differs. */
async function findEarlierCache(cacheDir: string): Promise<string | null> {
  const [kind = ''] = basename(cacheDir).split(FINGERPRINT)
  const isOther = (name: string): boolean =>
    name !== basename(cacheDir) && name.startsWith(kind) && name.slice(kind.length).replace(FINGERPRINT, '') === ''
  const names = (await readdir(dirname(cacheDir))).filter(isOther)
  const caches = await Promise.all(
    names.map(async (name) => {
      const path = join(dirname(cacheDir), name)
      const found = await stat(path).catch(() => null) // Removed by another process.
      return { path, usedAtMs: found?.mtimeMs ?? 0 }
    }),
  )
  return caches.toSorted((a, b) => b.usedAtMs - a.usedAtMs)[0]?.path ?? null
}

/** The files of the index. Lookups of a run beside them are private. */
async function listIndex(cacheDir: string): Promise<readonly string[]> {
  const names = await readdir(join(cacheDir, INDEX_DIR)).catch(() => []) // The cache has no index: TeX without LuaTeX.
  return names.filter((name) => name.startsWith('luaotfload-names'))
}

/** Links the prebuilt index of font names into a workspace in which LuaTeX has not run yet. */
export async function linkFontIndex(
  workspaceDir: string,
  cache: FontCache,
  owner: UnprivilegedOwner | null,
): Promise<void> {
  const top = join(scratchOf(workspaceDir), 'texmf-var')
  const isFirst = await mkdir(top).then(
    () => true,
    () => false,
  )
  if (!isFirst) return
  const folder = join(scratchOf(workspaceDir), INDEX_DIR)
  await mkdir(folder, { recursive: true })
  for (const name of await listIndex(cache.dir))
    await symlink(join(cache.insideDir, INDEX_DIR, name), join(folder, name))
  if (owner !== null) await chownTree(top, owner)
}
