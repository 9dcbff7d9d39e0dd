/**
 * Adds fonts to the font cache that a document had to parse: Lua reads an OpenType font in 1 to 25 s, and its result
 * from a cache in 0.1 s.
 *
 * What the document's own run has written is never used, because it can be wrong on purpose: a run of our own parses the
 * same files again, at the lowest priority, after the compile.
 */
import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { createWorkspace, removeWorkspace, scratchOf } from '../workspace.ts'
import type { FontFile } from '../types.ts'
import { linkFontIndex, type FontCache, type FontCacheMaker } from './font-cache.ts'

/** Adds fonts in the background. */
export interface FontKeeper {
  /** Files tried lately are not tried again. */
  keep(fonts: readonly FontFile[]): void
  /** Resolves when no fonts wait. */
  whenKept(): Promise<void>
  /** Stops permanently; running work is discarded. */
  stop(): void
}

/** Large fonts take half a minute each. */
const TIMEOUT_MS = 600_000
const FONTS_PER_RUN = 4
const MAX_WAITING = 200
/** More than a machine has. Recorder files can name what does not exist, which must not prevent trying others. */
const MAX_TRIED = 5_000
/** A font takes 1 to 20 MB. */
const MAX_CACHE_BYTES = 1_073_741_824
const FONTS_DIR = 'texmf-var/luatex-cache'

/** Opens a keeper; `prepare` returns the cache, or null if there is none. */
export function openFontKeeper(maker: FontCacheMaker, prepare: () => Promise<FontCache | null>): FontKeeper {
  /** Oldest first. */
  const tried = new Set<string>()
  const waiting: FontFile[] = []
  const stopped = new AbortController()
  let working: Promise<void> | null = null

  const work = async (): Promise<void> => {
    const { signal } = stopped
    const cache = await prepare()
    if (cache === null) return
    while (waiting.length > 0 && !signal.aborted && (await measureFonts(cache.dir)) < MAX_CACHE_BYTES)
      await addFonts(maker, { fonts: await listExisting(waiting.splice(0, FONTS_PER_RUN)), cache, signal })
  }

  return {
    keep(fonts) {
      for (const font of fonts) {
        const key = `${font.path}:${font.number ?? ''}`
        if (tried.has(key) || waiting.length >= MAX_WAITING || stopped.signal.aborted) continue
        tried.add(key)
        waiting.push(font)
        const [oldest] = tried
        if (tried.size > MAX_TRIED && oldest !== undefined) tried.delete(oldest)
      }
      if (waiting.length === 0) return
      working ??= work()
        .catch(() => {
          // Later compiles parse these fonts themselves, which is slow but correct.
        })
        .finally(() => {
          waiting.length = 0
          working = null
        })
    },
    whenKept: async () => working ?? undefined,
    stop: () => stopped.abort(),
  }
}

async function addFonts(
  { workRoot, owner, run }: FontCacheMaker,
  order: { readonly fonts: readonly FontFile[]; readonly cache: FontCache; readonly signal: AbortSignal },
): Promise<void> {
  const { fonts, cache, signal } = order
  if (fonts.length === 0) return
  const workspaceDir = await createWorkspace(workRoot, owner)
  try {
    await linkFontIndex(workspaceDir, cache, owner)
    await writeFile(join(workspaceDir, 'fonts.tex'), documentOf(fonts))
    const command = { program: 'lualatex', args: ['-interaction=nonstopmode', 'fonts.tex'] }
    await run(command, { workspaceDir, timeoutMs: TIMEOUT_MS, signal })
    if (signal.aborted) return
    const made = join(scratchOf(workspaceDir), FONTS_DIR)
    for (const name of await listFontFiles(made)) await publish(join(made, name), join(cache.dir, FONTS_DIR, name))
  } finally {
    await removeWorkspace(workspaceDir)
  }
}

async function listExisting(fonts: readonly FontFile[]): Promise<readonly FontFile[]> {
  const isFile = fonts.map(({ path }) =>
    stat(path).then(
      (found) => found.isFile(),
      () => false,
    ),
  )
  const existing = await Promise.all(isFile)
  return fonts.filter((_, at) => existing[at])
}

/** Characters that mean something to TeX or Lua do not occur: see `FontFile`. */
function documentOf(fonts: readonly FontFile[]): string {
  const loads = fonts.map(({ path, number }) => `pcall(fonts.handlers.otf.load, "${path}", ${number ?? 'false'})`)
  return `\\directlua{${loads.join(' ')}}\\stop\n`
}

/** The index of names is linked, and stays as it is. */
async function listFontFiles(top: string): Promise<readonly string[]> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch(() => []) // No font was parsed.
  return entries
    .filter((entry) => entry.isFile() && /\.lu[ac]$/.test(entry.name) && `${entry.parentPath}/`.includes('/fonts/'))
    .map((entry) => join(entry.parentPath, entry.name).slice(top.length + 1))
}

/** Whole files only: a compile may read the cache now. */
async function publish(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  const draft = `${to}.${randomUUID()}`
  await copyFile(from, draft)
  await rename(draft, to)
}

async function measureFonts(dir: string): Promise<number> {
  const top = join(dir, FONTS_DIR)
  const sizes = await Promise.all((await listFontFiles(top)).map(async (name) => (await stat(join(top, name))).size))
  return sizes.reduce((total, size) => total + size, 0)
}
