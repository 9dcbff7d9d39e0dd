/**
 * Copies of cache files in a bucket. Everything reads the cache folder; a file that is absent there is fetched first.
 * What must be uploaded or removed is noted on disk, so that neither an outage nor a crash loses it.
 */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'
import { downloadObject } from '../../bucket/download-object.ts'
import { BucketUnavailable, type Bucket } from '../../bucket/open-bucket.ts'

/** How long a build or a reader waits for the bucket. */
const PATIENCE_MS = 10_000
/** Other processes note tasks too, and failed ones are tried again. */
const LOOK_EVERY_MS = 30_000
/** How long a host that stops waits for running uploads. The next start repeats those that it ends. */
const CLOSE_PATIENCE_MS = 2_000
const CONCURRENCY = 4
/** Names that are known to be in the bucket; about 20 MB. */
const MAX_KNOWN = 100_000

type Task = 'save' | 'remove' | 'remove-folder'

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
  const noteDir = join(cacheDir, 'bucket-tasks')
  const nameOf = (path: string): string => relative(cacheDir, path)
  const notePath = (name: string, task: Task): string => join(noteDir, `${name.replaceAll('/', '~')}.${task}`)
  const known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 })
  const fetching = new Map<string, Promise<boolean>>()
  const ends = new Map<string, Promise<void>>()
  const stop = new AbortController()
  /** Names whose last task has failed. */
  const failing = new Set<string>()
  let isOut = false

  async function note(name: string, task: Task): Promise<void> {
    await makeFolderDurably(noteDir)
    await rm(notePath(name, task === 'save' ? 'remove' : 'save'), { force: true })
    await writeFile(notePath(name, task), '')
    await syncFolder(noteDir)
  }

  async function carryOut(name: string, task: Task): Promise<void> {
    const path = notePath(name, task)
    // An opposite task has replaced it, or another process has carried it out.
    if ((await stat(path).catch(whenAbsent(null))) === null) return
    if (task === 'save') await saveObject(name)
    else if (task === 'remove') await removeObject(name)
    // One that the bucket refuses must not keep the others.
    else for (const object of await bucket.list(`${name}/`)) await note(object, 'remove')
    await rm(path, { force: true })
  }

  async function saveObject(name: string): Promise<void> {
    const bytes = await readFile(join(cacheDir, name)).catch(whenAbsent(null))
    if (bytes === null) return
    await bucket.put(name, bytes)
    known.set(name, true)
  }

  async function removeObject(name: string): Promise<void> {
    known.delete(name)
    await bucket.remove(name)
  }

  /** Tasks of the same file run one after the other. Resolves to whether it is done. */
  async function attempt(name: string, task: Task): Promise<boolean> {
    const before = ends.get(name) ?? Promise.resolve()
    const work = before.then(() => carryOut(name, task))
    const end = work.catch(() => {}) // reported below
    ends.set(name, end)
    try {
      await work
      failing.delete(name)
      noteAvailable()
      return true
    } catch (error) {
      await noteFailure(name, error)
      return false
    } finally {
      if (ends.get(name) === end) ends.delete(name)
    }
  }

  function noteAvailable(): void {
    if (isOut) log.info({ component: 'bucket', bucket: bucket.url }, 'the bucket is available again')
    isOut = false
  }

  /** A single object may be refused, or its file unreadable, while the bucket works. */
  async function noteFailure(name: string, error: unknown): Promise<void> {
    const isNew = !failing.has(name)
    failing.add(name)
    const isUsable = !(error instanceof BucketUnavailable) || (await bucket.check().catch(() => false)) // an outage
    if (isUsable) {
      if (isNew) log.warn({ component: 'bucket', err: error, name }, 'a file cannot be copied; retrying')
      noteAvailable()
    } else {
      if (!isOut) log.warn({ component: 'bucket', err: error }, 'the bucket is not available; uploads are queued')
      isOut = true
    }
  }

  /** Tasks, those that failed last at the end, because a worker stops at the first failed task of an outage. */
  async function listTasks(): Promise<readonly { readonly name: string; readonly task: Task }[]> {
    const files = await readdir(noteDir).catch(whenAbsent([]))
    const tasks = files.flatMap((file) => {
      const task = /\.(save|remove|remove-folder)$/.exec(file)?.[1] as Task | undefined
      return task === undefined ? [] : [{ name: file.slice(0, -task.length - 1).replaceAll('~', '/'), task }]
    })
    return tasks.toSorted((a, b) => Number(failing.has(a.name)) - Number(failing.has(b.name)))
  }

  async function carryOutAll(): Promise<void> {
    const tasks = (await listTasks())[Symbol.iterator]()
    const work = async (): Promise<void> => {
      for (const { name, task } of tasks) {
        const isDone = await attempt(name, task)
        if ((!isDone && isOut) || stop.signal.aborted) return
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }

  async function look(): Promise<void> {
    for (;;) {
      await carryOutAll().catch((error: unknown) => log.error({ err: error }, 'run the queued tasks of the bucket'))
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal, ref: false })
    }
  }

  const looking = runsTasks ? look().catch(() => {}) : Promise.resolve() // ends with the signal

  return {
    async save(path) {
      const name = nameOf(path)
      await note(name, 'save')
      if (runsTasks && !isOut) await Promise.race([attempt(name, 'save'), sleep(PATIENCE_MS, false, { ref: false })])
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
        await note(name, 'save')
        return await attempt(name, 'save')
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
      await note(name, 'remove')
      if (runsTasks && !isOut) void attempt(name, 'remove')
    },

    async removeFolder(path) {
      const name = nameOf(path)
      await note(name, 'remove-folder')
      if (runsTasks && !isOut && (await attempt(name, 'remove-folder'))) await carryOutAll()
    },

    countWaiting: async () => (await readdir(noteDir).catch(whenAbsent([]))).length,

    async close() {
      stop.abort()
      const end = Promise.all([looking, ...ends.values()])
      await Promise.race([end, sleep(CLOSE_PATIENCE_MS, undefined, { ref: false })])
      bucket.close()
      await end
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
