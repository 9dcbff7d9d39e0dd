/**
 * Caches results of queries as long as nothing in the database has changed.
 *
 * `PRAGMA data_version` is a cheap way to detect commits of any connection, so a cached result is never stale: the next
 * read sees a token that was revoked or a repository that was hidden by any process. A cache with a time to live would
 * need invalidation for every write, and would still be stale with a second process.
 */
import { LRUCache } from 'lru-cache'

/**
 * Reads through the cache: `load` is called only if the database has changed or the key is new. `weightOf` returns the
 * approximate size of a result in kilobytes, without its key. @default 1
 */
export type ReadCache = <T extends object>(
  key: string,
  load: () => Promise<T>,
  weightOf?: (answer: T) => number,
) => T | Promise<T>

/** Maximum total weight, approximately in kilobytes. */
const maxWeight = 50_000
/** Characters of two bytes. */
const CHARACTERS_PER_KB = 500

/** Creates a cache for a database; `version` returns a number that changes with every commit of any process. */
export function createReadCache(version: () => number): ReadCache {
  const answers = new LRUCache<string, object>({ maxSize: maxWeight })
  let answersOf = version()

  return function read<T extends object>(
    key: string,
    load: () => Promise<T>,
    weightOf: (answer: T) => number = () => 1,
  ): T | Promise<T> {
    const now = version()
    if (now !== answersOf) {
      answers.clear()
      answersOf = now
    }
    const known = answers.get(key)
    // Each key prefix has one loader, so an entry has the type of its loader.
    return known === undefined ? loadAndKeep(key, load, weightOf) : (known as T)
  }

  async function loadAndKeep<T extends object>(
    key: string,
    load: () => Promise<T>,
    weightOf: (answer: T) => number,
  ): Promise<T> {
    const before = version()
    const answer = await load()
    // The result may or may not include a commit during the load, so it is not cached in that case.
    const isUndisturbed = before === answersOf && version() === before
    // A key may be a long name from a request, for which the answer is null.
    if (isUndisturbed) answers.set(key, answer, { size: Math.ceil(weightOf(answer) + key.length / CHARACTERS_PER_KB) })
    return answer
  }
}
