import { setTimeout as sleep } from 'node:timers/promises'
import { linkFontIndex, prepareFontCache, type FontCache, type FontCacheMaker } from './font-cache.ts'
import { openFontKeeper, type FontKeeper } from './kept-fonts.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'

const INDEXING_ENGINES: ReadonlySet<string> = new Set(['lualatex', 'luatex', 'luahbtex'])

/** Delay before caches are created again after a failure, for example on a full disk or a busy machine. */
const RETRY_AFTER_MS = 60_000

type RunWithFonts = (
  command: SandboxCommand,
  options: SandboxRunOptions & { readonly fontCache: FontCache | null },
) => Promise<RunReport>

type Run = (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>

type FindFontCache = (
  program: string,
  workspaceDir: string,
  options: { readonly mayWait: boolean },
) => Promise<FontCache | null>

export interface FontAwareRunner {
  readonly run: Run
  /**
   * The complete caches for a program that is started ahead, however long that takes. Rejects if they are not complete and
   * `mayWait` is false: for programs that a running compile waits for.
   */
  readonly findFontCache: FindFontCache
  /** Creates the caches now instead of on first use. */
  readonly prepareFonts: () => Promise<void>
  readonly keeper: FontKeeper
  /** Stops the creation of the caches and resolves when it has left nothing behind. Later runs find no new caches. */
  readonly close: () => Promise<void>
}

/**
 * Wraps a function that runs programs so that engines which index fonts find the index.
 *
 * The caches are created on first use, which takes some seconds once per TeX installation, and again after a failure. The
 * run that waits for them spends at most half of its budget on that; other programs use them if they exist.
 */
export function fontAwareRunner(
  runWithFonts: RunWithFonts,
  maker: Omit<FontCacheMaker, 'run' | 'signal'>,
): FontAwareRunner {
  const closed = new AbortController()
  let ready: FontCache | null = null
  let isPrepared = false
  let failedAtMs: number | null = null
  let preparing: Promise<FontCache | null> | null = null
  const prepare = () => {
    const withoutFonts: Run = (command, options) => runWithFonts(command, { ...options, fontCache: null })
    if (failedAtMs !== null && Date.now() - failedAtMs >= RETRY_AFTER_MS && !closed.signal.aborted) {
      failedAtMs = null
      isPrepared = false
      preparing = null
    }
    preparing ??= prepareFontCache({ ...maker, run: withoutFonts, signal: closed.signal }).then((cache) => {
      isPrepared = true
      if (cache === null) failedAtMs = Date.now()
      return (ready = cache)
    })
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
  const findFontCache: FindFontCache = async (program, workspaceDir, { mayWait }) => {
    if (!INDEXING_ENGINES.has(program)) return ready
    const preparation = prepare()
    if (!isPrepared && !mayWait) throw new Error('The font caches are not ready.')
    const fontCache = await preparation
    if (fontCache !== null) await linkFontIndex(workspaceDir, fontCache, maker.owner)
    return fontCache
  }
  const runWithCache: Run = (command, options) => runWithFonts(command, { ...options, fontCache: ready })
  const keeper = openFontKeeper({ ...maker, run: runWithCache }, prepare)
  return {
    run,
    findFontCache,
    keeper,
    close: async () => {
      closed.abort()
      keeper.stop()
      await Promise.all([preparing, keeper.whenKept()])
    },
    prepareFonts: async () => {
      await prepare()
    },
  }
}

/** Resolves to null when a run should stop waiting for the caches. */
async function patience({ timeoutMs, signal }: SandboxRunOptions): Promise<null> {
  try {
    return await sleep(timeoutMs / 2, null, { ref: false, ...(signal === undefined ? {} : { signal }) })
  } catch {
    return null // Aborted; the run itself reports that.
  }
}
