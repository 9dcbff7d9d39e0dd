/**
 * An in-memory cache bounded in bytes and time. Each entry belongs to one owner.
 *
 * Owners find only their own entries, so the cache does not reveal what others have compiled.
 */
import { hash } from 'node:crypto'

export interface CacheLimits {
  /** Entries expire after this time. */
  readonly keptMs: number
  /** Maximum bytes of all entries together. */
  readonly maxBytes: number
  /** Maximum bytes of the entries of one owner; the least recently used ones are evicted. */
  readonly maxBytesPerOwner: number
  /** Maximum number of entries of one owner. */
  readonly maxEntriesPerOwner: number
}

/** The owner of an entry, and the computation that it is the result of. */
export interface CacheAddress {
  readonly owner: string
  readonly key: string
}

export interface BoundedCache<Value> {
  /** The entry of this owner under this key; undefined if absent or expired. */
  find(address: CacheAddress): Value | undefined
  /** Saves or replaces an entry; one that exceeds the limit of its owner is not stored. */
  save(address: CacheAddress, entry: { readonly value: Value; readonly sizeBytes: number }): void
  /** Current size in bytes. */
  sizeBytes(): number
}

interface Entry<Value> {
  readonly owner: string
  readonly value: Value
  readonly sizeBytes: number
  readonly expiresAtMs: number
}

/** Creates an empty cache. `now`: a clock in milliseconds. */
export function createBoundedCache<Value>(
  limits: CacheLimits,
  now: () => number = () => performance.now(),
): BoundedCache<Value> {
  /** Least recently used first. */
  const entries = new Map<string, Entry<Value>>()

  function removeExpired(): void {
    for (const [id, { expiresAtMs }] of entries) if (expiresAtMs <= now()) entries.delete(id)
  }

  function sizeOf(owner: string | null): { readonly bytes: number; readonly count: number } {
    let bytes = 0
    let count = 0
    for (const entry of entries.values()) {
      if (owner !== null && entry.owner !== owner) continue
      bytes += entry.sizeBytes
      count += 1
    }
    return { bytes, count }
  }

  function removeOldest(owner: string | null): void {
    for (const [id, entry] of entries) {
      if (owner !== null && entry.owner !== owner) continue
      entries.delete(id)
      return
    }
  }

  return {
    find(address) {
      removeExpired()
      const id = idOf(address)
      const entry = entries.get(id)
      if (entry === undefined) return undefined
      entries.delete(id)
      entries.set(id, entry)
      return entry.value
    },
    save(address, { value, sizeBytes }) {
      removeExpired()
      const { owner } = address
      entries.delete(idOf(address))
      if (sizeBytes > Math.min(limits.maxBytes, limits.maxBytesPerOwner)) return
      entries.set(idOf(address), { owner, value, sizeBytes, expiresAtMs: now() + limits.keptMs })
      for (let own = sizeOf(owner); own.bytes > limits.maxBytesPerOwner || own.count > limits.maxEntriesPerOwner;) {
        removeOldest(owner)
        own = sizeOf(owner)
      }
      while (sizeOf(null).bytes > limits.maxBytes) removeOldest(null)
    },
    sizeBytes: () => sizeOf(null).bytes,
  }
}

/** The key of a computation: a digest of everything that determines its result, in a fixed order. */
export function cacheKey(parts: readonly (string | number | null | Uint8Array)[]): string {
  // Each part is hashed by itself, so that different lists of parts never have the same digest.
  return digest(parts.map((part) => (part instanceof Uint8Array ? digest(part) : JSON.stringify(part))).join('\n'))
}

function idOf({ owner, key }: CacheAddress): string {
  return `${digest(owner)} ${key}`
}

function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex')
}
