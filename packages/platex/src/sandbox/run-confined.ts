import { open } from 'node:fs/promises'
import {
  bubblewrapArguments,
  CONFINED_FORMATS,
  CONFINED_SCRATCH,
  CONFINED_SUPPLEMENT,
  type Profile,
} from './bubblewrap-arguments.ts'
import { withRunCgroup, type CgroupParent } from './cgroup.ts'
import { confinedEnvironment } from './confined-environment.ts'
import type { FontCache } from './font-cache.ts'
import { limitArguments } from './limits.ts'
import { FONT_STUB_FOLDER } from './metafont/font-stubs.ts'
import { ownTree } from './own-tree.ts'
import { runProcess } from './run-process.ts'
import type { RunReport, SandboxCommand, SandboxRunOptions } from './types.ts'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'
import { scratchOf } from './workspace.ts'

/** Everything that is the same for all runs of one sandbox. */
export interface Confinement {
  /** Absolute path of `bwrap`. */
  readonly bubblewrap: string
  readonly profile: Profile
  /** File that holds the seccomp program. */
  readonly filterFile: string
  readonly owner: UnprivilegedOwner | null
  readonly maxProcesses: number
  /** Where the kernel can limit a whole run, or null. */
  readonly cgroup: CgroupParent | null
}

/** The descriptor behind standard input, output and error. */
const FILTER_DESCRIPTOR = 3

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
  const { workspaceDir, fontCache } = options
  const scratchDir = scratchOf(workspaceDir)
  if (owner !== null) await ownTree(workspaceDir, owner)
  const env = confinedEnvironment({
    path: `/usr/bin/${FONT_STUB_FOLDER}:${programPath(profile)}`,
    isWalled: true,
    scratchDir: CONFINED_SCRATCH,
    supplementDir: CONFINED_SUPPLEMENT,
    fontCacheDir: fontCache?.insideDir ?? null,
    formatDir: profile.formatDir === null ? null : CONFINED_FORMATS,
  })
  const limits = limitArguments(options.timeoutMs, maxProcesses)
  const args = bubblewrapArguments(profile, {
    workspaceDir,
    folder: options.folder ?? '',
    scratchDir,
    fontCache,
    env: { ...env, ...command.env },
    filterDescriptor: FILTER_DESCRIPTOR,
    isTectonic: command.program === 'tectonic',
    command: ['/usr/bin/prlimit', ...limits, '--', command.program, ...command.args],
  })
  // The descriptor's position is shared with the child, so every run opens the filter anew.
  const filter = await open(confinement.filterFile)
  try {
    const child = { program: confinement.bubblewrap, args, cwd: '/', env: {}, owner, extraDescriptor: filter.fd }
    const watched = { ...options, watchedFolders: [workspaceDir, scratchDir] }
    return await withRunCgroup(confinement.cgroup, (onStarted) => runProcess({ ...child, onStarted }, watched))
  } finally {
    await filter.close()
  }
}
