/**
 * Starts the engines that read the beginning of a document ahead of its next compile: one reads the preamble, and one
 * everything before the last edit. They start as any engine does, so nothing needs to be restored afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheAddress } from '../../base/bounded-cache.ts'
import { ENGINES, type EngineRow } from '../../engine/engines.ts'
import { startBudget } from '../budget.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { engineCommand } from '../readers/engine-command.ts'
import { jobPathsOf } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { listWritten } from '../readers/list-written.ts'
import { placeConvertedPictures } from '../passes/convert-missing-pictures.ts'
import { startDriverAhead } from '../passes/make-pdf.ts'
import type { PassContext } from '../passes/run.ts'
import { engraveScoresAhead } from '../tools/engrave-scores.ts'
import { openToolMemory } from '../tools/tool-memory.ts'
import { fillWorkspace, openWorkspace, sizeOf } from '../workspace.ts'
import { mayBePipe, mayRunLua, markOf, preambleOf, startBefore } from '../readers/choose-starts.ts'
import {
  addReader,
  conditionsOf,
  isUsable,
  keepReaders,
  listReaders,
  removeReader,
  type ReadingConditions,
  type WaitingReader,
} from '../readers/reader-store.ts'

/** Bytes that an edit may add to the root file. */
const SPARE_BYTES = 1024 * 1024
/** The result is sent first: the start of two engines takes all processors of a small machine. */
const PAUSE_MS = 50
const MAX_READING_MS = 60_000

const preparing = new Map<string, Promise<void>>()

/** The next compile of a document. */
export interface NextCompile {
  readonly document: CacheAddress
  /** Position of the last edit in the root file, or null. */
  readonly editedAt: number | null
}

/**
 * Makes engines read ahead for the next compile of a document, which will have these files and warm-start files.
 *
 * Resolves when they have read everything.
 */
export async function prepareReaders(job: ResolvedJob, { document, editedAt }: NextCompile): Promise<void> {
  const id = JSON.stringify([document.owner, document.key])
  const before = Promise.all([preparing.get(id), sleep(PAUSE_MS)])
  const after = before.then(() => prepare(job, { document, editedAt })).catch(() => {}) // The next compile starts its own.
  preparing.set(id, after)
  await after
  if (preparing.get(id) === after) preparing.delete(id)
}

async function prepare(job: ResolvedJob, { document, editedAt }: NextCompile): Promise<void> {
  const { sandbox } = job
  const row = ENGINES[job.engine]
  const root = job.files.get(job.rootFile)
  const mark = root === undefined ? null : markOf(job.engine, root)
  if (root === undefined || mark === null || !canReadAhead(job, row)) return
  const preamble = preambleOf(root)
  const starts = [preamble, editedAt === null ? null : startBefore(root, editedAt)].filter((one) => one !== null)
  const conditions = conditionsOf(job)
  const isWanted = (length: number): boolean => starts.some((start) => start.length === length)
  await keepReaders(
    sandbox,
    document,
    (reader) => isWanted(reader.start.length) && isUsable(reader, { root, conditions }),
  )
  const missing = starts.filter((start) =>
    listReaders(sandbox, document).every((reader) => reader.start.length !== start.length),
  )
  // The longest is the most likely to be used.
  for (const start of missing.toReversed()) await startReader(job, { document, row, start, mark, conditions })
}

function canReadAhead(job: ResolvedJob, row: EngineRow): boolean {
  if (row.isWholePipeline || row.output === 'dvi' || job.passes !== 'auto' || (job.warmStartFiles?.size ?? 0) === 0)
    return false
  if (job.sandbox.waitingStatus().maxCount === 0) return false
  return job.sandbox.has(row.program) && mayBePipe(jobPathsOf(job.rootFile).rootName, job.files)
}

interface ReaderOrder {
  readonly document: CacheAddress
  readonly row: EngineRow
  readonly start: Uint8Array
  /** Bytes before the root file. */
  readonly mark: Uint8Array
  readonly conditions: ReadingConditions
}

async function startReader(job: ResolvedJob, { document, row, start, mark, conditions }: ReaderOrder): Promise<void> {
  const { sandbox, rootFile } = job
  const written = new Map([...listWritten(job)].filter(([path]) => path !== rootFile))
  const { bytes, entries } = sizeOf(listWritten(job))
  const workspaceDir = await sandbox.createWorkspace({ bytes: bytes + SPARE_BYTES, entries })
  try {
    await fillWorkspace(workspaceDir, { job, written })
    const workspace = openWorkspace(workspaceDir, { job, reader: null })
    const budget = startBudget(Math.min(job.timeoutMs, MAX_READING_MS))
    const context = {
      job,
      workspace,
      budget,
      row,
      memory: openToolMemory(undefined),
      requestedFonts: new Set<string>(),
      pictures: new Map<string, string | null>(),
      labelSources: new Map<string, ReadonlySet<string>>(),
    }
    await placeConvertedPictures(context)
    await engraveScoresAhead(context)
    const program = await sandbox.readAhead(engineCommand(job, row), {
      workspaceDir,
      path: rootFile,
      start: Buffer.concat([mark, start]),
      timeoutMs: budget.timeoutMs,
      runTimeoutMs: job.timeoutMs,
      onEvicted: () => removeReader(sandbox, document, workspaceDir),
    })
    if (program !== null) {
      const reader: WaitingReader = { workspaceDir, start, conditions, program, opened: null }
      addReader(sandbox, document, reader)
      startDriverAhead(context)
      if ((await program.isReady) && !mayRunLua(job)) reader.opened = await listOpened(context)
      return
    }
  } catch (error) {
    await sandbox.removeWorkspace(workspaceDir)
    throw error
  }
  await sandbox.removeWorkspace(workspaceDir)
}

/** Null if the recorder file cannot be read. */
async function listOpened(context: PassContext): Promise<ReadonlySet<string> | null> {
  const { place } = context.workspace
  const found = await inspect('listOpenedFiles', { place, recorder: context.row.recorder }, inspectionOptions(context))
  return found.kind === 'done' ? found.value.inputs : null
}
