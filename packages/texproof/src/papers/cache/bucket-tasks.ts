/**
 * Uploads and removals of the copies in a bucket. Each is noted on disk before it is carried out, so that neither an outage nor
 * a crash loses it.
 */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'
import { BucketUnavailable, type Bucket } from '../../bucket/open-bucket.ts'

/** Other processes note tasks too, and failed ones are tried again. */
const LOOK_EVERY_MS = 30_000
const CONCURRENCY = 4

export type BucketTask = 'save' | 'remove' | 'remove-folder'

/** Names are paths in the cache folder, and names of objects. */
export interface BucketTasks {
  /** Notes a task, which replaces the opposite one. */
  note(name: string, task: BucketTask): Promise<void>
  /** Carries out a noted task, after the earlier ones of the same name. Resolves to whether it is done; a failure is logged. */
  attempt(name: string, task: BucketTask): Promise<boolean>
  /** Carries out all noted tasks, in an outage until the first failure. */
  attemptAll(): Promise<void>
  /** Whether the last task has failed because the bucket was not available. */
  isOut(): boolean
  count(): Promise<number>
  /** Starts no more tasks, and resolves when the running ones have ended. */
  stop(): Promise<unknown>
}

/**
 * Opens the tasks of a cache folder. `known` = names that are known to be in the bucket, updated by each task. With `repeats`,
 * noted tasks are carried out now and every 30 s.
 */
export function openBucketTasks(
  cacheDir: string,
  {
    bucket,
    log,
    known,
    repeats,
  }: {
    readonly bucket: Bucket
    readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
    readonly known: LRUCache<string, true>
    readonly repeats: boolean
  },
): BucketTasks {
  const noteDir = join(cacheDir, 'bucket-tasks')
  const notePath = (name: string, task: BucketTask): string => join(noteDir, `${name.replaceAll('/', '~')}.${task}`)
  const ends = new Map<string, Promise<void>>()
  const stop = new AbortController()
  /** Names whose last task has failed. */
  const failing = new Set<string>()
  let isOut = false

  async function note(name: string, task: BucketTask): Promise<void> {
    await makeFolderDurably(noteDir)
    await rm(notePath(name, task === 'save' ? 'remove' : 'save'), { force: true })
    await writeFile(notePath(name, task), '')
    await syncFolder(noteDir)
  }

  async function carryOut(name: string, task: BucketTask): Promise<void> {
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
  async function attempt(name: string, task: BucketTask): Promise<boolean> {
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
  async function listTasks(): Promise<readonly { readonly name: string; readonly task: BucketTask }[]> {
    const files = await readdir(noteDir).catch(whenAbsent([]))
    const tasks = files.flatMap((file) => {
      const task = /\.(save|remove|remove-folder)$/.exec(file)?.[1] as BucketTask | undefined
      return task === undefined ? [] : [{ name: file.slice(0, -task.length - 1).replaceAll('~', '/'), task }]
    })
    return tasks.toSorted((a, b) => Number(failing.has(a.name)) - Number(failing.has(b.name)))
  }

  async function attemptAll(): Promise<void> {
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
      await attemptAll().catch((error: unknown) => log.error({ err: error }, 'run the queued tasks of the bucket'))
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal, ref: false })
    }
  }

  const looking = repeats ? look().catch(() => {}) : Promise.resolve() // ends with the signal

  return {
    note,
    attempt,
    attemptAll,
    isOut: () => isOut,
    count: async () => (await readdir(noteDir).catch(whenAbsent([]))).length,
    stop() {
      stop.abort()
      return Promise.all([looking, ...ends.values()])
    },
  }
}
