import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'

import { LRUCache } from 'lru-cache'

/** How a cache is bounded. */
export interface IdleCacheOptions<Value> {
  /** Bounds the sum of `sizeOf`. */
  readonly maxSize: number
  /** Bytes or characters of an entry; at least 1. */
  readonly sizeOf: (value: Value, key: string) => number
}

const IDLE_LIMIT_MS = 2 * 60_000
const SWEEP_EVERY_MS = 15_000
/** Collecting garbage for less does not pay. */
const COLLECTED_SIZE = 8 * 1024 * 1024

const caches = new Set<WeakRef<Pick<LRUCache<string, object>, 'calculatedSize' | 'purgeStale'>>>()
let sweeper: NodeJS.Timeout | undefined

/**
 * A cache bounded by size that drops entries without use for two minutes: an idle server keeps no memory for a load that is
 * over.
 */
export function createIdleCache<Value extends object | string>(
  options: IdleCacheOptions<Value>,
): LRUCache<string, Value> {
  const cache = new LRUCache<string, Value>({
    maxSize: options.maxSize,
    sizeCalculation: options.sizeOf,
    ttl: IDLE_LIMIT_MS,
    updateAgeOnGet: true,
    ttlResolution: 1_000,
  })
  caches.add(new WeakRef(cache))
  sweeper ??= setInterval(sweep, SWEEP_EVERY_MS).unref()
  return cache
}

/** Node collects garbage only while it allocates: after large entries were dropped, it is told to. */
function sweep(): void {
  let dropped = 0
  for (const reference of caches) {
    const cache = reference.deref()
    if (cache === undefined) {
      caches.delete(reference)
      continue
    }
    const before = cache.calculatedSize
    cache.purgeStale()
    dropped += before - cache.calculatedSize
  }
  if (dropped >= COLLECTED_SIZE) collectGarbage()
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect({ type: 'major', execution: 'async' })
}
