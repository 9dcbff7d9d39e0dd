/**
 * An engine that reads the preamble for the next pass while the current one runs.
 *
 * It has a workspace of its own, with the files of the job and empty files in place of those that passes usually leave, and
 * stops before `\begin{document}`. If it has opened none of these by then, it is in the state in which the next pass would
 * be there. It then gets what the passes have left, and the compile continues in its workspace.
 */
import { opendir } from 'node:fs/promises'
import { posix } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadAhead, ResumeOrder } from '../../sandbox/types.ts'
import { engineCommand } from '../readers/engine-command.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { jobPathsOf } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { listIncludedFiles } from '../list-included-files.ts'
import { markOf, mayBePipe, mayRunLua, partBeforeDocument } from '../readers/choose-starts.ts'
import { fillWorkspace, openWorkspace, sizeOf, type Workspace } from '../workspace.ts'
import { placeConvertedPictures } from './convert-missing-pictures.ts'
import { startDriverAhead } from './make-pdf.ts'
import type { PassContext } from './run.ts'
import { isVolatile } from './state.ts'

/** The next pass of a compile, whose engine has begun. */
export interface NextPass {
  /** True once the engine has read the preamble; false if it ended. */
  readonly isReady: Promise<boolean>
  /**
   * Moves the compile to the workspace of the engine. Null if it cannot be used. `written`: the files that passes and tools wrote.
   */
  begin(written: ReadonlySet<string>): Promise<ResumeOrder | null>
  /** Stops the engine, unless the pass has begun. */
  discard(): Promise<void>
}

/** Endings of files that passes and tools leave. A file with another ending prevents the use of the engine. */
const USUAL_ENDINGS =
  'aux toc lof lot loa lol out bbl blg bcf run.xml nav snm vrb brf idx ind ilg glo gls glg acn acr alg ist glsdefs slo sls slg nlo nls nlg thm tdo ent lox maf mtc mtc0 xdy pre atfi'.split(
    ' ',
  )
/** Files that the passes leave, in addition to the files of the job. */
const MAX_LEFT_FILES = 500
const MAX_LEFT_BYTES = 16 * 1024 * 1024
const NOTHING = new Uint8Array()
/** It has read the preamble long before the current pass ends, unless the machine is busy. */
const PATIENCE_MS = 3_000
const POLL_MS = 20

/** Starts the engine; null if the document does not allow that, or the machine has no room. */
export async function startNextPass(context: PassContext): Promise<NextPass | null> {
  const { job, workspace, row, budget } = context
  const { sandbox } = workspace
  const root = job.files.get(job.rootFile)
  const start = root === undefined || !mayStart(context) ? null : partBeforeDocument(root)
  const mark = root === undefined ? null : markOf(job.engine, root)
  if (root === undefined || start === null || mark === null) return null
  const left = await readLeftFiles(workspace, job)
  if (left === null) return null
  const expected = new Map([...usualFiles(job).map((path) => [path, NOTHING] as const), ...left])
  const others = new Map([...job.files, ...expected])
  others.delete(job.rootFile)
  const { bytes, entries } = sizeOf(new Map([...others, [job.rootFile, root]]))
  const workspaceDir = await sandbox.createWorkspace(
    { bytes: bytes + MAX_LEFT_BYTES, entries },
    { partOf: workspace.dir },
  )
  try {
    await fillWorkspace(workspaceDir, { job, written: others })
    const place = openWorkspace(workspaceDir, { job, reader: null })
    await placeConvertedPictures({ ...context, workspace: place })
    const program = await sandbox.readAhead(engineCommand(job, row), {
      workspaceDir,
      path: job.rootFile,
      start: Buffer.concat([mark, start]),
      timeoutMs: budget.remainingMs(),
      runTimeoutMs: budget.remainingMs(),
      onEvicted: null,
    })
    if (program !== null) return nextPassOf({ context, place, program, expected, rest: root.subarray(start.length) })
  } catch (error) {
    await sandbox.removeWorkspace(workspaceDir)
    throw error
  }
  await sandbox.removeWorkspace(workspaceDir)
  return null
}

/**
 * Waits until the engine of the current pass has opened its log; false if `isOver` before that.
 *
 * Until then, the name of its recorder file ends in its process id, which is the same for all engines: each has a namespace of
 * its own. Two engines that start at the same time in one workspace would write the same file.
 */
export async function untilLogIsOpen({ workspace, row }: PassContext, isOver: () => boolean): Promise<boolean> {
  if (row.recorder !== 'fls') return true
  const path = workspace.outputPath('fls')
  while (!isOver()) {
    if (await workspace.has(path)) return true
    await sleep(POLL_MS)
  }
  return false
}

function mayStart({ job, row, workspace }: PassContext): boolean {
  if (row.isWholePipeline || row.output === 'dvi' || (job.warmStartFiles?.size ?? 0) > 0 || mayRunLua(job)) return false
  return workspace.sandbox.canReadAhead() && mayBePipe(jobPathsOf(job.rootFile).rootName, job.files)
}

interface StartedPass {
  readonly context: PassContext
  /** The workspace of the engine. */
  readonly place: Workspace
  readonly program: ReadAhead
  /** The files there that passes may have replaced since. */
  readonly expected: ReadonlyMap<string, Uint8Array>
  readonly rest: Uint8Array
}

function nextPassOf({ context, place, program, expected, rest }: StartedPass): NextPass {
  const { job, workspace, row } = context
  const { dir } = place
  let isOpen = true
  const discard = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await workspace.sandbox.removeWorkspace(dir)
  }
  return {
    isReady: program.isReady,
    discard,
    async begin(written) {
      let isTaken = false
      try {
        const isOtherMap = engineCommand(job, row).fontMap !== program.command.fontMap
        const isReady = !isOtherMap && (await Promise.race([program.isReady, sleep(PATIENCE_MS, false)]))
        const isChanged = [...written].some((path) => job.files.has(path))
        const changes = isReady && !isChanged ? await changesOf({ context, place, program, expected, rest }) : null
        const root = job.files.get(job.rootFile) ?? NOTHING
        isTaken = changes !== null && (await program.take(root, changes, workspace.dir))
      } finally {
        // Even after an error: no other code has a reference to this engine.
        if (!isTaken) await discard()
      }
      if (!isTaken) return null
      isOpen = false
      await workspace.moveTo(dir)
      if (row.output === 'xdv') startDriverAhead(context)
      return { waiting: program.command, input: rest }
    },
  }
}

/** Files to replace in the workspace of the engine, null to remove one; null if the engine has read a changed file. */
async function changesOf({
  context,
  place,
  expected,
}: StartedPass): Promise<ReadonlyMap<string, Uint8Array | null> | null> {
  const { job, workspace, row } = context
  const options = inspectionOptions(context)
  const [left, opened] = await Promise.all([
    readLeftFiles(workspace, job),
    inspect('listOpenedFiles', { place: place.place, recorder: row.recorder }, options),
  ])
  if (left === null || opened.kind === 'fault') return null
  const { inputs, outputs } = opened.value
  const changes = new Map<string, Uint8Array | null>()
  for (const path of new Set([...left.keys(), ...expected.keys()])) {
    const before = expected.get(path)
    const after = left.get(path) ?? null
    // A converted picture was there from the start. What the preamble has written was not, and in the next pass it is.
    if (before === undefined && (outputs.has(path) || !(await isSame(place, path, after)))) return null
    if (before === undefined || (after !== null && Buffer.compare(before, after) === 0)) continue
    if (inputs.has(path)) return null
    // The engine is writing it.
    if (!outputs.has(path)) changes.set(path, after)
  }
  return changes
}

async function isSame(place: Workspace, path: string, content: Uint8Array | null): Promise<boolean> {
  const found = await place.read(path)
  return found !== null && content !== null && Buffer.compare(found, content) === 0
}

/** The files of usual names that a pass of this job could leave. */
function usualFiles(job: ResolvedJob): readonly string[] {
  const { folder, jobName } = jobPathsOf(job.rootFile)
  const included = listIncludedFiles(job.files, folder).map((path) => `${path}.aux`)
  const named = USUAL_ENDINGS.map((ending) => posix.join(folder, `${jobName}.${ending}`))
  return [...new Set([...named, ...included])].filter((path) => !job.files.has(path))
}

/** The files in a workspace that did not come with the job, except for logs and pages of the job; null if too many. */
async function readLeftFiles(workspace: Workspace, job: ResolvedJob): Promise<ReadonlyMap<string, Uint8Array> | null> {
  const { folder, jobName } = workspace
  const isOwnOutput = (path: string): boolean => path.startsWith(posix.join(folder, `${jobName}.`)) && isVolatile(path)
  const found = new Map<string, Uint8Array>()
  let bytesLeft = MAX_LEFT_BYTES
  let entriesLeft = MAX_LEFT_FILES + job.files.size
  const folders = ['']
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for await (const entry of await opendir(posix.join(workspace.dir, current))) {
      entriesLeft -= 1
      const path = posix.join(current, entry.name)
      if (entriesLeft < 0) return null
      if (entry.isDirectory()) folders.push(path)
      if (entry.isDirectory() || job.files.has(path) || isOwnOutput(path)) continue
      const bytes = entry.isFile() ? await workspace.read(path) : null
      if (bytes === null || bytes.length > bytesLeft) return null
      bytesLeft -= bytes.length
      found.set(path, bytes)
    }
  }
  return found
}
