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
  /**
   * Resolves once every commit until now is on disk. @param isChanged Whether there has been a commit since the last call.
   *
   * @throws LogFailed
   */
  settle(isChanged: boolean): Promise<void>
  /** Copies the log into the database and begins a new one, unless the database is in use by another process. */
  checkpoint(): Promise<void>
  /** Waits for a running flush and checkpoint. No commit may follow. */
  close(): Promise<void>
  /** Whether a flush has failed. The database must not be closed: that would copy the log into it. */
  readonly hasFailed: boolean
}

/**
 * The disk has failed to store commits, which are visible. The system may have dropped what it could not write, and reports
 * that once. Nothing is acknowledged or copied until a restart, which reads what is intact of the log.
 */
export class LogFailed extends Error {
  constructor(path: string, cause: unknown) {
    super(`cannot write ${path} to disk. Check the disk, and restart the server. Until then, nothing is saved.`, {
      cause,
    })
  }
}

/** Checkpoints have failed repeatedly. Commits are not affected. */
export class CheckpointsFail extends Error {
  constructor(path: string, cause: unknown) {
    const isInUse = cause instanceof DatabaseInUse
    const reason = cause instanceof Error ? cause.message : String(cause)
    const remedy = isInUse
      ? 'If no backup is running, end the commands that read the database.'
      : 'Check the disk and its free space.'
    super(`cannot copy ${path} into the database: ${reason}. It grows, and reads become slower. ${remedy}`, { cause })
  }
}

/** Another process, or a backup of this one, is reading or writing. */
class DatabaseInUse extends Error {
  constructor() {
    super('the database is in use')
  }
}

const CHECKPOINT = defineTask<typeof checkpointLog>(import.meta.resolve('./checkpoint-log.ts'), 'checkpointLog')
/** Delay from the first commit that is not in the database file to the checkpoint. */
const CHECKPOINT_AFTER_MS = 10_000
/** Commits that have a checkpoint earlier: reads become slower with the length of the log. */
const MAX_FLUSHES = 2_000
/** Failures in a row that are not reported: the next checkpoint usually succeeds. */
const TOLERATED_FAILURES = 2
/** Unreported failures in a row while the database is in use, for instance by a backup. */
const TOLERATED_IN_USE = 9
/** None: nothing can interrupt it. The longest that a timer can have. */
const CHECKPOINT_LIMIT_MS = 2 ** 31 - 1

export interface WriteAheadLogOptions {
  readonly databasePath: string
  /** Admits one writer of this process at a time. */
  readonly writers: Limiter
  /** Whether an earlier server left commits in the log, perhaps after a failure of the disk: they are copied first. */
  readonly isLeft?: boolean
  /** Called once for a series of checkpoints that fail. */
  readonly onCheckpointsFail?: ((error: CheckpointsFail) => void) | undefined
  /** Flushes the file of the log. */
  readonly sync?: (file: FileHandle) => Promise<void>
}

/** Opens the log of a database. */
export function openWriteAheadLog({
  databasePath,
  writers,
  isLeft = false,
  onCheckpointsFail = () => {},
  sync = (file) => file.datasync(),
}: WriteAheadLogOptions): WriteAheadLog {
  const logPath = `${databasePath}-wal`
  const thread = openParsers({ threads: 1, timeLimitMs: CHECKPOINT_LIMIT_MS })
  let file: FileHandle | null = null
  let waiting: Promise<void> | null = null
  let checkpointing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let flushCount = 0
  let commitCount = 0
  let flushedCount = 0
  let failure: LogFailed | null = null
  let failedCheckpoints = 0
  let isReported = false
  let running = isLeft ? checkpoint() : Promise.resolve()

  async function flush(): Promise<void> {
    if (failure !== null) throw failure
    const countBefore = commitCount
    file ??= await open(logPath, 'r')
    await sync(file).catch((error: unknown) => {
      failure = new LogFailed(logPath, error)
      throw failure
    })
    flushedCount = countBefore
    flushCount += 1
    if (flushCount >= MAX_FLUSHES) void checkpoint()
    else timer ??= setTimeout(checkpoint, CHECKPOINT_AFTER_MS).unref()
  }

  function checkpoint(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    flushCount = 0
    checkpointing ??= copyLog()
      .then(() => {
        failedCheckpoints = 0
        isReported = false
      }, noteFailure)
      .finally(() => {
        checkpointing = null
      })
    return checkpointing
  }

  /** The log becomes longer. If the disk is broken, the next flush fails too, and its commits report that. */
  function noteFailure(error: unknown): void {
    failedCheckpoints += 1
    const tolerated = error instanceof DatabaseInUse ? TOLERATED_IN_USE : TOLERATED_FAILURES
    if (failure !== null || isReported || failedCheckpoints <= tolerated) return
    isReported = true
    onCheckpointsFail(new CheckpointsFail(logPath, error))
  }

  /** Almost everything is copied beside other writers, so that they wait only for the rest. */
  async function copyLog(): Promise<void> {
    await runCheckpoint('passive')
    await writers.run('', () => runCheckpoint('restart'))
  }

  async function runCheckpoint(mode: 'passive' | 'restart'): Promise<void> {
    if (failure !== null) throw failure
    const outcome = await thread.run(CHECKPOINT, { path: databasePath, mode }, { ownerId: '' })
    if (outcome.kind === 'failed') throw outcome.error
    if (outcome.kind !== 'done') throw new Error(`checkpoint of ${databasePath}: ${outcome.kind}`)
    if (outcome.value === 'in-use') throw new DatabaseInUse()
  }

  return {
    async settle(isChanged) {
      if (isChanged) commitCount += 1
      // What changed nothing may depend on a commit that is not on disk yet.
      if (flushedCount === commitCount) return
      // What was committed during a flush may not be part of it.
      waiting ??= running
        .catch(() => {}) // Reported to its own commits.
        .then(() => {
          running = waiting ?? Promise.resolve()
          waiting = null
          return flush()
        })
      await waiting
    },
    checkpoint,
    async close() {
      await (waiting ?? running).catch(() => {}) // Reported to its commits.
      if (timer !== null) clearTimeout(timer)
      await checkpointing
      await thread.close()
      await file?.close()
    },
    get hasFailed() {
      return failure !== null
    },
  }
}
