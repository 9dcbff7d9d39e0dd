/**
 * Answers identical requests to a compile service from memory or from a running compile.
 *
 * Owners share nothing, so `X-Cache` reveals nothing about requests with other keys.
 */
import { createBoundedCache, type CacheAddress } from '../base/bounded-cache.ts'
import type { CompileProgress, CompileResult } from '../base/types.ts'
import { orAborted } from '../base/or-aborted.ts'

const MIB = 1024 * 1024

/** Origin of a result, for `X-Cache`. */
export type CacheOutcome = 'hit' | 'miss' | 'coalesced'

export interface CachedResult {
  readonly result: CompileResult
  readonly cache: CacheOutcome
}

/** One request for a result. */
export interface ResultRequest {
  readonly address: CacheAddress
  /** True to bypass the cache: the client sent `Cache-Control: no-cache`. */
  readonly isFresh: boolean
  readonly signal: AbortSignal
  readonly onProgress: ((progress: CompileProgress) => void) | undefined
}

/** Passed to a compile shared by several callers: its signal fires when the last of them disconnects. */
export interface SharedCompile {
  readonly signal: AbortSignal
  readonly onProgress: (progress: CompileProgress) => void
}

/** Outcome of a shared compile. */
export interface SharedOutcome {
  readonly result: CompileResult
  /** False if the same request may have a better result later; then it is not kept. */
  readonly isComplete: boolean
}

export interface ResultCache {
  /** The result of the request: from the cache, from a running compile, or from `compile`. */
  answer(request: ResultRequest, compile: (shared: SharedCompile) => Promise<SharedOutcome>): Promise<CachedResult>
  /** Current size in bytes. */
  sizeBytes(): number
}

interface RunningCompile {
  readonly result: Promise<CompileResult>
  readonly abort: AbortController
  readonly callers: Set<ResultRequest>
}

export function createResultCache(): ResultCache {
  const kept = createBoundedCache<CompileResult>({
    keptMs: 10 * 60_000,
    maxBytes: 128 * MIB,
    maxBytesPerOwner: 64 * MIB,
    maxEntriesPerOwner: 256,
  })
  const running = new Map<string, RunningCompile>()

  function start(
    { address, isFresh }: ResultRequest,
    compile: (shared: SharedCompile) => Promise<SharedOutcome>,
  ): RunningCompile {
    const abort = new AbortController()
    const callers = new Set<ResultRequest>()
    const onProgress = (progress: CompileProgress): void => {
      for (const caller of callers) caller.onProgress?.(progress)
    }
    const id = idOf(address)
    const result = compile({ signal: abort.signal, onProgress })
      .then(({ result: compiled, isComplete }) => {
        if (isComplete) kept.save(address, { value: compiled, sizeBytes: sizeOf(compiled) })
        return compiled
      })
      .finally(() => {
        if (running.get(id) === shared) running.delete(id)
      })
    const shared: RunningCompile = { result, abort, callers }
    if (!isFresh) running.set(id, shared)
    return shared
  }

  /**
   * Waits for a shared compile. When the last caller leaves, the compile is cancelled, and that caller waits for its
   * end.
   */
  async function join(shared: RunningCompile, request: ResultRequest): Promise<CompileResult> {
    shared.callers.add(request)
    try {
      return await orAborted(shared.result, request.signal)
    } catch (error) {
      shared.callers.delete(request)
      if (!request.signal.aborted || shared.callers.size > 0) throw error
      const id = idOf(request.address)
      if (running.get(id) === shared) running.delete(id)
      shared.abort.abort(request.signal.reason)
      return await shared.result
    } finally {
      shared.callers.delete(request)
    }
  }

  return {
    async answer(request, compile) {
      const { address, isFresh } = request
      const known = isFresh ? undefined : kept.find(address)
      if (known !== undefined) return { result: known, cache: 'hit' }
      const others = isFresh ? undefined : running.get(idOf(address))
      const shared = others ?? start(request, compile)
      return { result: await join(shared, request), cache: others === undefined ? 'miss' : 'coalesced' }
    },
    sizeBytes: () => kept.sizeBytes(),
  }
}

function idOf({ owner, key }: CacheAddress): string {
  return JSON.stringify([owner, key])
}

/** Includes the compressed JSON of the result. */
function sizeOf({ pdf, logs, outputs, errors, warnings }: CompileResult): number {
  const files = Object.values(outputs ?? {}).reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
  const texts = logs.reduce((sum, { stdout, stderr, log }) => sum + stdout.length + stderr.length + log.length, 0)
  return 2 * ((pdf?.length ?? 0) + files) + 3 * texts + 1_000 * (errors.length + warnings.length + logs.length)
}
