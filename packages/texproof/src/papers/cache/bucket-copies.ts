/** Copies of cache files in a bucket. Everything reads the cache folder; a file that is absent there is fetched first. */
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import { downloadObject } from '../../bucket/download-object.ts'
import { BucketUnavailable, type Bucket } from '../../bucket/open-bucket.ts'
import { openBucketTasks } from './bucket-tasks.ts'

/** How long a build or a reader waits for the bucket. */
const PATIENCE_MS = 10_000
/** How long a host that stops waits for running uploads. The next start repeats those that it ends. */
const CLOSE_PATIENCE_MS = 2_000
/** Names that are known to be in the bucket; about 20 MB. */
const MAX_KNOWN = 100_000

/** All paths are in the cache folder. */
export interface BucketCopies {
  /** Uploads a file. After 10 s, or in an outage, the upload continues in the background. */
  save(path: string): Promise<void>
  /** Whether the bucket has a file. An outage hides nothing: then the answer is yes. */
  has(path: string): Promise<boolean>
  /** Whether the bucket has a file for sure, uploaded now if necessary. */
  isSafe(path: string): Promise<boolean>
  /** Size in bytes; null if there is no such copy. @throws BucketUnavailable */
  measure(path: string): Promise<number | null>
  /** Writes a file that is absent; false if the bucket does not have it either. @throws BucketUnavailable */
  fetch(path: string): Promise<boolean>
  /** Removes a copy, in an outage later. */
  remove(path: string): Promise<void>
  /** Removes the copies of all files in a folder, in an outage later. */
  removeFolder(path: string): Promise<void>
  /** Uploads and removals that are noted. */
  countWaiting(): Promise<number>
  close(): Promise<void>
}

/** Opens the copies of a cache folder. With `runsTasks: false`, tasks are only noted for the server. */
export function openBucketCopies(
  cacheDir: string,
  {
    bucket,
    log,
    runsTasks,
  }: { readonly bucket: Bucket; readonly log: Pick<Logger, 'info' | 'warn' | 'error'>; readonly runsTasks: boolean },
): BucketCopies {
  const nameOf = (path: string): string => relative(cacheDir, path)
  const known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 })
  const fetching = new Map<string, Promise<boolean>>()
  const tasks = openBucketTasks(cacheDir, { bucket, log, known, repeats: runsTasks })

  return {
    async save(path) {
      const name = nameOf(path)
      await tasks.note(name, 'save')
      if (runsTasks && !tasks.isOut())
        await Promise.race([tasks.attempt(name, 'save'), sleep(PATIENCE_MS, false, { ref: false })])
    },

    async has(path) {
      const name = nameOf(path)
      if (known.has(name)) return true
      const sizeBytes = await withPatience(bucket.measure(name)).catch(() => undefined) // an outage
      if (typeof sizeBytes === 'number') known.set(name, true)
      return sizeBytes !== null
    },

    async isSafe(path) {
      const name = nameOf(path)
      try {
        if ((await bucket.measure(name)) !== null) return true
        await tasks.note(name, 'save')
        return await tasks.attempt(name, 'save')
      } catch (error) {
        log.warn({ component: 'bucket', err: error }, 'check a copy')
        return false
      }
    },

    measure: (path) => withPatience(bucket.measure(nameOf(path))),

    async fetch(path) {
      const work =
        fetching.get(path) ?? downloadObject(bucket, { name: nameOf(path), path }).finally(() => fetching.delete(path))
      fetching.set(path, work)
      return withPatience(work)
    },

    async remove(path) {
      const name = nameOf(path)
      await tasks.note(name, 'remove')
      if (runsTasks && !tasks.isOut()) void tasks.attempt(name, 'remove')
    },

    async removeFolder(path) {
      const name = nameOf(path)
      await tasks.note(name, 'remove-folder')
      if (runsTasks && !tasks.isOut() && (await tasks.attempt(name, 'remove-folder'))) await tasks.attemptAll()
    },

    countWaiting: tasks.count,

    async close() {
      const ended = tasks.stop()
      await Promise.race([ended, sleep(CLOSE_PATIENCE_MS, undefined, { ref: false })])
      bucket.close()
      await ended
    },
  }
}

/** @throws BucketUnavailable after the patience of a reader. The work continues. */
async function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  const enough = new AbortController()
  const tooLate = sleep(PATIENCE_MS, undefined, { signal: enough.signal, ref: false }).then(() => {
    throw new BucketUnavailable(`no answer within ${PATIENCE_MS / 1000} s`)
  })
  work.catch(() => {}) // when it fails after the patience is over
  try {
    return await Promise.race([work, tooLate])
  } finally {
    enough.abort()
    tooLate.catch(() => {}) // the timer has ended with the work
  }
}
