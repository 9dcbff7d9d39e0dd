/**
 * Answers of the database, kept exactly as long as nothing in it has changed.
 *
 * SQLite tells cheaply whether anyone has committed since the last question (`PRAGMA data_version`). So a kept answer
 * is never stale: a token revoked or a repository hidden by any process is seen by the very next read. The road not
 * taken is a cache that lives for some seconds, which would have to be told of every write and would still lie once
 * a second process writes.
 */
import { LRUCache } from 'lru-cache'

/**
 * Reads through the cache: `load` is called only when the database has changed or the key is new.
 * `weightOf` says about how many kilobytes an answer takes, one unless given.
 */
export type ReadCache = <T extends object>(
  key: string,
  load: () => Promise<T>,
  weightOf?: (answer: T) => number,
) => T | Promise<T>

/** About as many kilobytes. */
const maxWeight = 50_000

/** Makes a cache over a database; `version` is a number that changes with every commit of anyone. */
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
    // Each key prefix has one loader, so an entry has the type that its loader gave it.
    return known === undefined ? loadAndKeep(key, load, weightOf) : (known as T)
  }

  async function loadAndKeep<T extends object>(
    key: string,
    load: () => Promise<T>,
    weightOf: (answer: T) => number,
  ): Promise<T> {
    const before = version()
    const answer = await load()
    // A commit during the load may or may not be in the answer, so only an undisturbed one is kept.
    const isUndisturbed = before === answersOf && version() === before
    if (isUndisturbed) answers.set(key, answer, { size: Math.ceil(weightOf(answer)) })
    return answer
  }
}
