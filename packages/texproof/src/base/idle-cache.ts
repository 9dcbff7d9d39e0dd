import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'

import { LRUCache } from 'lru-cache'

/** The limits of a cache. */
export interface IdleCacheOptions<Value> {
  /** Bounds the sum of `sizeOf`. */
  readonly maxSize: number
  /** Bytes or characters of an entry; at least 1. */
  readonly sizeOf: (value: Value, key: string) => number
}

const IDLE_LIMIT_MS = 2 * 60_000
const SWEEP_EVERY_MS = 15_000
/** Garbage collection is not worth it for less. */
const COLLECTED_SIZE = 8 * 1024 * 1024

const caches = new Set<WeakRef<Pick<LRUCache<string, object>, 'calculatedSize' | 'purgeStale'>>>()
let sweeper: NodeJS.Timeout | undefined

/**
 * A cache with a maximum size that removes entries not used for two minutes, so that an idle server keeps no memory of
 * past load.
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

/** Node.js collects garbage only while it allocates: after large entries were removed, it is triggered here. */
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
