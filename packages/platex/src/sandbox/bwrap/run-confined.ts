import { open } from 'node:fs/promises'
import type { FontCache } from '../cache/font-cache.ts'
import { confinedEnvironment, CONFINED_SCRATCH } from '../confined-environment.ts'
import type { CompileGroup } from '../limits/cgroup.ts'
import { COMPILE_LIMITS, limitArguments } from '../limits/limits.ts'
import { FONT_STUB_FOLDER } from '../metafont/font-stubs.ts'
import type { OpenWorkspace, Workspaces } from '../open-workspaces.ts'
import { runProcess, type ProcessCommand, type ProcessOptions } from '../run-process.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'
import { chownTree, type UnprivilegedOwner } from '../unprivileged-owner.ts'
import { CONFINED_FORMATS, CONFINED_SUPPLEMENT, bubblewrapArguments, type Profile } from './bubblewrap-arguments.ts'

/** Everything that is the same for all runs of one sandbox. */
export interface Confinement {
  /** Absolute path of `bwrap`. */
  readonly bubblewrap: string
  readonly profile: Profile
  /** File that holds the seccomp program. */
  readonly filterFile: string
  readonly owner: UnprivilegedOwner | null
  readonly maxProcesses: number
  readonly workspaces: Workspaces
}

/** The descriptors behind standard input, output and error. */
const FILTER_DESCRIPTOR = 3
const BLOCK_DESCRIPTOR = 4

/** Folders of programs as a confined program sees them, joined by `:`. */
export function programPath({ ownProgramDir }: Pick<Profile, 'ownProgramDir'>): string {
  return ownProgramDir === null ? '/usr/bin' : `${ownProgramDir}:/usr/bin`
}

/** Runs one program behind bubblewrap, with the font caches that are there, to its end. */
export async function runConfined(
  confinement: Confinement,
  command: SandboxCommand,
  options: SandboxRunOptions & { readonly fontCache: FontCache | null },
): Promise<RunReport> {
  const { profile, owner, maxProcesses } = confinement
  const { fontCache } = options
  const workspace = confinement.workspaces.find(options.workspaceDir)
  const { documentDir, scratchDir, folder, group } = workspace
  if (owner !== null) await chownTree(workspace.dir, owner)
  const env = confinedEnvironment({
    path: `/usr/bin/${FONT_STUB_FOLDER}:${programPath(profile)}`,
    isIsolated: true,
    scratchDir: CONFINED_SCRATCH,
    supplementDir: CONFINED_SUPPLEMENT,
    fontCacheDir: fontCache?.insideDir ?? null,
    formatDir: profile.formatDir === null ? null : CONFINED_FORMATS,
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
    command: ['/usr/bin/prlimit', ...limits, '--', command.program, ...command.args],
  })
  const [program = '', ...entering] =
    folder === null ? [confinement.bubblewrap] : [...folder.enter, confinement.bubblewrap]
  // The descriptor's position is shared with the child, so every run opens the filter anew.
  const filter = await open(confinement.filterFile)
  try {
    const child = { program, args: [...entering, ...args], cwd: '/', env: {}, owner: folder === null ? owner : null }
    const run = (start: Pick<ProcessCommand, 'extraDescriptors' | 'onStarted'>) =>
      runProcess({ ...child, ...start }, { ...options, watched: watchedPartOf(workspace) })
    return await (group === null ? run({ extraDescriptors: [filter.fd] }) : runInGroup(group, filter.fd, run))
  } finally {
    await filter.close()
  }
}

/** The program starts once everything around it is in the group, so nothing it does goes uncounted. */
async function runInGroup(
  group: CompileGroup,
  filterDescriptor: number,
  run: (start: Pick<ProcessCommand, 'extraDescriptors' | 'onStarted'>) => Promise<RunReport>,
): Promise<RunReport> {
  const killsBefore = group.countMemoryKills()
  const report = await run({
    extraDescriptors: [filterDescriptor, 'pipe'],
    onStarted: (child, pid) => {
      group.admit(pid)
      child.stdio[BLOCK_DESCRIPTOR]?.destroy()
    },
  })
  const ranOutOfMemory = group.countMemoryKills() > killsBefore
  return ranOutOfMemory ? { ...report, end: { kind: 'limit-exceeded', limit: 'memory' } } : report
}

function watchedPartOf({ dir, scratchDir, folder, group, inputs, bounds }: OpenWorkspace): ProcessOptions['watched'] {
  return {
    compile: dir,
    maxMemoryBytes: group === null ? COMPILE_LIMITS.memoryBytes : null,
    folder:
      folder === null
        ? { kind: 'on-disk', paths: [dir, scratchDir], bounds }
        : { kind: 'bounded', path: folder.path, inputBytes: inputs.bytes },
  }
}
