import { metricTreesOf, shortListsOf } from '../cache/file-lists.ts'
import type { FontCache } from '../cache/font-cache.ts'
import { confinedEnvironment, CONFINED_SCRATCH } from '../confined-environment.ts'
import type { CompileGroup } from '../limits/cgroup.ts'
import { COMPILE_LIMITS, limitArguments } from '../limits/limits.ts'
import { FONT_STUB_FOLDER } from '../metafont/font-stubs.ts'
import type { OpenWorkspace, Workspaces } from '../open-workspaces.ts'
import { runProcess, type ProcessCommand, type ProcessOptions } from '../run-process.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions, WaitingCommand } from '../types.ts'
import { chownTree, type UnprivilegedOwner } from '../unprivileged-owner.ts'
import { startReading, type ReadingOptions, type ReadingProcess } from '../waiting/reading-process.ts'
import { startWaiting, type WaitingProcess } from '../waiting/waiting-process.ts'
import { CONFINED_FORMATS, CONFINED_SUPPLEMENT, bubblewrapArguments, type Profile } from './bubblewrap-arguments.ts'

/** Properties shared by all runs of one sandbox. */
export interface Confinement {
  /** Absolute path of `bwrap`. */
  readonly bubblewrap: string
  readonly profile: Profile
  /** File with the seccomp program. */
  readonly filterFile: string
  readonly owner: UnprivilegedOwner | null
  readonly maxProcesses: number
  readonly workspaces: Workspaces
}

/** The descriptors behind standard input, output and error. */
const FILTER_DESCRIPTOR = 3
const BLOCK_DESCRIPTOR = 4
/** Share of the memory of a compile up to which an engine may read ahead, together with the pass that runs. */
const READING_SHARE = 0.5

/** Folders of programs as a confined program sees them, joined by `:`. */
export function programPath({ ownProgramDir }: Pick<Profile, 'ownProgramDir'>): string {
  return ownProgramDir === null ? '/usr/bin' : `${ownProgramDir}:/usr/bin`
}

/** Runs one program under bubblewrap to its end, with the available font caches. */
export async function runConfined(
  confinement: Confinement,
  command: SandboxCommand,
  options: SandboxRunOptions & { readonly fontCache: FontCache | null },
): Promise<RunReport> {
  const workspace = confinement.workspaces.find(options.workspaceDir)
  return withProcessCommand(confinement, { command, options, workspace }, (processCommand) =>
    countingKills(workspace, () => runProcess(processCommand, { ...options, watched: watchedPartOf(workspace) })),
  )
}

/** Starts a program under bubblewrap that waits for its input. */
export async function startConfined(
  confinement: Confinement,
  command: WaitingCommand,
  options: { readonly workspaceDir: string; readonly timeoutMs: number; readonly fontCache: FontCache | null },
): Promise<WaitingProcess> {
  const workspace = confinement.workspaces.find(options.workspaceDir)
  const run = { command, options: { ...options, folder: command.folder }, workspace }
  return withProcessCommand(confinement, run, (processCommand) => startWaiting(processCommand, command))
}

/** Starts a program under bubblewrap that reads the beginning of its input from a pipe. */
export async function startReadingConfined(
  confinement: Confinement,
  command: WaitingCommand,
  options: Omit<ReadingOptions, 'watched'> & {
    readonly workspaceDir: string
    readonly runTimeoutMs: number
    readonly fontCache: FontCache | null
  },
): Promise<ReadingProcess> {
  const workspace = confinement.workspaces.find(options.workspaceDir)
  // The limit of processor time is for reading and for the run after it.
  const timeoutMs = options.timeoutMs + options.runTimeoutMs
  const run = { command, options: { ...options, folder: command.folder, timeoutMs }, workspace }
  return withProcessCommand(confinement, run, async (processCommand) =>
    startReading(processCommand, command, {
      ...options,
      // Ended first if there is not enough memory for both: the pass that runs needs no engine that has read ahead.
      watched: { ...watchedPartOf(workspace), maxMemoryBytes: COMPILE_LIMITS.memoryBytes * READING_SHARE },
    }),
  )
}

/** Sends its input to a waiting program and supervises it to its end, with the same limits as any other. */
export async function resumeConfined(
  confinement: Confinement,
  waiting: WaitingProcess,
  options: SandboxRunOptions & { readonly input: string | Uint8Array },
): Promise<RunReport> {
  const workspace = confinement.workspaces.find(options.workspaceDir)
  if (confinement.owner !== null) await chownTree(workspace.dir, confinement.owner)
  return countingKills(workspace, () =>
    waiting.resume(options.input, { ...options, watched: watchedPartOf(workspace) }),
  )
}

interface PlannedRun {
  readonly command: SandboxCommand
  readonly options: Pick<SandboxRunOptions, 'folder' | 'timeoutMs'> & { readonly fontCache: FontCache | null }
  readonly workspace: OpenWorkspace
}

/** Calls `start` with the command: bubblewrap with its arguments around the program. */
async function withProcessCommand<T>(
  { profile, owner, maxProcesses, bubblewrap, filterFile }: Confinement,
  { command, options, workspace }: PlannedRun,
  start: (processCommand: ProcessCommand) => Promise<T>,
): Promise<T> {
  const { fontCache } = options
  const { documentDir, scratchDir, folder, group } = workspace
  if (owner !== null) await chownTree(workspace.dir, owner)
  const shortLists = shortListsOf(command.program, profile.shortLists)
  const env = confinedEnvironment({
    path: `/usr/bin/${FONT_STUB_FOLDER}:${programPath(profile)}`,
    isIsolated: true,
    scratchDir: CONFINED_SCRATCH,
    supplementDir: CONFINED_SUPPLEMENT,
    fontCacheDir: fontCache?.insideDir ?? null,
    formatDir: profile.formatDir === null ? null : CONFINED_FORMATS,
    metricTrees: metricTreesOf(shortLists),
  })
  const limits = limitArguments(options.timeoutMs, maxProcesses)
  const args = bubblewrapArguments(profile, {
    documentDir,
    folder: options.folder ?? '',
    scratchDir,
    fontCache,
    env: { ...env, ...command.env },
    filterDescriptor: FILTER_DESCRIPTOR,
    blockDescriptor: group === null ? null : BLOCK_DESCRIPTOR,
    isTectonic: command.program === 'tectonic',
    shortLists,
    fontMap: command.fontMap ?? 'whole',
    command: ['/usr/bin/prlimit', ...limits, '--', command.program, ...command.args],
  })
  const [program = '', ...entering] = folder === null ? [bubblewrap] : [...folder.enter, bubblewrap]
  const child = { program, args: [...entering, ...args], cwd: '/', env: {}, owner: folder === null ? owner : null }
  return start({ ...child, ...descriptorsOf(group, filterFile) })
}

/** The program starts after bubblewrap has joined the group, so all its memory is counted. */
function descriptorsOf(
  group: CompileGroup | null,
  filterFile: string,
): Pick<ProcessCommand, 'extraDescriptors' | 'onStarted'> {
  if (group === null) return { extraDescriptors: [{ file: filterFile }] }
  return {
    extraDescriptors: [{ file: filterFile }, 'pipe'],
    onStarted: (child, pid) => {
      group.admit(pid)
      child.stdio[BLOCK_DESCRIPTOR]?.destroy()
    },
  }
}

/** Marks a run as killed for its memory if the kernel did so. */
async function countingKills({ group }: OpenWorkspace, run: () => Promise<RunReport>): Promise<RunReport> {
  if (group === null) return run()
  const killsBefore = group.countMemoryKills()
  const report = await run()
  const ranOutOfMemory = group.countMemoryKills() > killsBefore
  return ranOutOfMemory ? { ...report, end: { kind: 'limit-exceeded', limit: 'memory' } } : report
}

function watchedPartOf(workspace: OpenWorkspace): ProcessOptions['watched'] {
  const { dir, compile, scratchDir, folder, group, inputs, bounds } = workspace
  return {
    compile,
    maxMemoryBytes: group === null ? COMPILE_LIMITS.memoryBytes : null,
    folder:
      folder === null
        ? { kind: 'on-disk', paths: [dir, scratchDir], bounds }
        : { kind: 'bounded', path: folder.path, inputBytes: inputs.bytes },
  }
}
