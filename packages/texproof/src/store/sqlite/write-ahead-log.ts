/**
 * Flushes the write-ahead log of SQLite outside the event loop.
 *
 * A flush takes seconds on a disk that other programs are writing to. SQLite flushes in the thread that commits, and
 * the server would answer nothing meanwhile. Here, commits only write; before they are acknowledged, the thread pool of
 * Node.js flushes what they wrote, together for all that wait. Checkpoints, which flush too, run in a worker thread.
 */
import { open, type FileHandle } from 'node:fs/promises'

import type { Limiter } from '../../base/limiter.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { checkpointLog } from './checkpoint-log.ts'

/** The log of an open database. */
export interface WriteAheadLog {
  /** Resolves once every commit until now is on disk. @throws what the disk reports. */
  flush(): Promise<void>
  /** Copies the log into the database and begins a new one, unless the database is in use by another process. */
  checkpoint(): Promise<void>
  /** Waits for a running flush and checkpoint. No commit may follow. */
  close(): Promise<void>
}

const CHECKPOINT = defineTask<typeof checkpointLog>(import.meta.resolve('./checkpoint-log.ts'), 'checkpointLog')
/** From the first commit that is not in the database to its checkpoint. */
const CHECKPOINT_AFTER_MS = 10_000
/** Commits that have a checkpoint earlier: reads become slower with the length of the log. */
const MAX_FLUSHES = 2_000
const CHECKPOINT_LIMIT_MS = 10 * 60_000

/** Opens the log of a database. `writers` admits one writer of this process at a time. */
export function openWriteAheadLog(
  databasePath: string,
  writers: Limiter,
  sync = (file: FileHandle): Promise<void> => file.datasync(),
): WriteAheadLog {
  const thread = openParsers({ threads: 1, timeLimitMs: CHECKPOINT_LIMIT_MS })
  let file: FileHandle | null = null
  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  let checkpointing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let flushCount = 0
  /** After a failure, the system may count pages as written that are not, and report no second failure. */
  let isUncertain = false

  async function syncLog(): Promise<void> {
    if (isUncertain) await copyAll()
    file ??= await open(`${databasePath}-wal`, 'r')
    try {
      await sync(file)
    } catch (error) {
      isUncertain = true
      throw error
    }
    flushCount += 1
    if (flushCount >= MAX_FLUSHES) void checkpoint()
    else timer ??= setTimeout(checkpoint, CHECKPOINT_AFTER_MS).unref()
  }

  /** Writes everything to the database, whether or not it is in the log on disk. */
  async function copyAll(): Promise<void> {
    await writers.run('', () => runCheckpoint('restart'))
    isUncertain = false
  }

  function checkpoint(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    flushCount = 0
    checkpointing ??= copyWithoutWaiting()
      .catch(() => {}) // The log becomes longer. If the disk is broken, the next flush fails too.
      .finally(() => {
        checkpointing = null
      })
    return checkpointing
  }

  /** Almost everything is copied beside other writers, so that they wait only for the rest. */
  async function copyWithoutWaiting(): Promise<void> {
    await runCheckpoint('passive')
    await writers.run('', () => runCheckpoint('restart'))
  }

  async function runCheckpoint(mode: 'passive' | 'restart'): Promise<void> {
    const outcome = await thread.run(CHECKPOINT, { path: databasePath, mode }, { ownerId: '' })
    if (outcome.kind === 'failed') throw outcome.error
    if (outcome.kind !== 'done') throw new Error(`checkpoint of ${databasePath}: ${outcome.kind}`)
  }

  return {
    flush() {
      // What was committed during a flush may not be part of it.
      waiting ??= running
        .catch(() => {}) // Reported to its own commits.
        .then(() => {
          running = waiting ?? Promise.resolve()
          waiting = null
          return syncLog()
        })
      return waiting
    },
    checkpoint,
    async close() {
      await (waiting ?? running).catch(() => {}) // Reported to its commits.
      if (timer !== null) clearTimeout(timer)
      await checkpointing
      await thread.close()
      await file?.close()
    },
  }
}
