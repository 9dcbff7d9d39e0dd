import { setTimeout as sleep } from 'node:timers/promises'
import { linkFontIndex, prepareFontCache, type FontCache, type FontCacheMaker } from './font-cache.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'

const INDEXING_ENGINES: ReadonlySet<string> = new Set(['lualatex', 'luatex', 'luahbtex'])

type RunWithFonts = (
  command: SandboxCommand,
  options: SandboxRunOptions & { readonly fontCache: FontCache | null },
) => Promise<RunReport>

type Run = (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>

type FindFontCache = (program: string, workspaceDir: string) => Promise<FontCache | null>

export interface FontAwareRunner {
  readonly run: Run
  /** The caches for a program that is started ahead, complete, however long that takes. */
  readonly findFontCache: FindFontCache
  /** Makes the caches now instead of when they are first needed. */
  readonly prepareFonts: () => Promise<void>
}

/**
 * Wraps a way to run programs so that engines which index fonts find them indexed.
 *
 * The caches are made when they are first needed, which takes some seconds once per TeX installation. The run that
 * waits for them pays at most half of its budget; runs of other programs take them when they are there.
 */
export function fontAwareRunner(runWithFonts: RunWithFonts, maker: Omit<FontCacheMaker, 'run'>): FontAwareRunner {
  let ready: FontCache | null = null
  let preparing: Promise<FontCache | null> | null = null
  const prepare = () => {
    const withoutFonts: Run = (command, options) => runWithFonts(command, { ...options, fontCache: null })
    preparing ??= prepareFontCache({ ...maker, run: withoutFonts }).then((cache) => (ready = cache))
    return preparing
  }
  const run: Run = async (command, options) => {
    if (!INDEXING_ENGINES.has(command.program)) return runWithFonts(command, { ...options, fontCache: ready })
    const startedAt = performance.now()
    const fontCache = await Promise.race([prepare(), patience(options)])
    if (fontCache !== null) await linkFontIndex(options.workspaceDir, fontCache, maker.owner)
    const timeoutMs = options.timeoutMs - (performance.now() - startedAt)
    return runWithFonts(command, { ...options, timeoutMs, fontCache })
  }
  const findFontCache: FindFontCache = async (program, workspaceDir) => {
    if (!INDEXING_ENGINES.has(program)) return ready
    const fontCache = await prepare()
    if (fontCache !== null) await linkFontIndex(workspaceDir, fontCache, maker.owner)
    return fontCache
  }
  return {
    run,
    findFontCache,
    prepareFonts: async () => {
      await prepare()
    },
  }
}

/** Ends, with null, when a run should no longer wait for the caches. */
async function patience({ timeoutMs, signal }: SandboxRunOptions): Promise<null> {
  try {
    return await sleep(timeoutMs / 2, null, { ref: false, ...(signal === undefined ? {} : { signal }) })
  } catch {
    return null // The caller gave up; the run itself reports that.
  }
}
