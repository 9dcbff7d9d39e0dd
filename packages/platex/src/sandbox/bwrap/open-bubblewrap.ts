import { lstat, readlink } from 'node:fs/promises'
import { release } from 'node:os'
import { basename, join, posix } from 'node:path'
import { askProgram } from '../tex-installation.ts'
import { CONFINED_BUNDLE, CONFINED_FONT_CACHE, CONFINED_TECTONIC } from './bubblewrap-arguments.ts'
import { findBoundedFolderMaker } from '../bounded-folder.ts'
import { openCgroupParent } from '../limits/cgroup.ts'
import { findBubblewrap } from './find-bubblewrap.ts'
import { fontAwareRunner } from '../cache/font-aware-runner.ts'
import { PROCESS_LIMITS } from '../limits/limits.ts'
import { makeFonts } from '../metafont/font-maker.ts'
import { openWorkspaces, type WorkspacesOptions } from '../open-workspaces.ts'
import type { Host } from '../cache/prepare-host.ts'
import { probeConfinement } from './probe-confinement.ts'
import { prepareProgramFolder } from '../cache/program-folder.ts'
import { readResult } from '../read-result.ts'
import {
  programPath,
  resumeConfined,
  runConfined,
  startConfined,
  startReadingConfined,
  type Confinement,
} from './run-confined.ts'
import { startWatcher } from '../limits/run-watcher.ts'
import { NOT_FOUND } from '../run-process.ts'
import { SandboxUnavailableError } from '../sandbox-unavailable-error.ts'
import { prepareFilterFile } from '../seccomp/build-filter.ts'
import { convertPicture, findConvertedPicture } from '../pictures/convert-picture.ts'
import { prepareShortLists } from '../cache/file-lists.ts'
import { prepareShortFontMap } from '../cache/short-font-map.ts'
import { madeFontDir } from '../cache/supplement.ts'
import { tectonicRunner } from '../cache/tectonic-runner.ts'
import { supplyName, type TectonicSupply } from '../cache/tectonic-supply.ts'
import { openWaitingPrograms } from '../waiting/waiting-programs.ts'
import type { LimitEnforcement, Sandbox, SandboxWeakness } from '../types.ts'

/**
 * Opens the isolated sandbox: every program runs under bubblewrap, after a test of the isolation from inside.
 *
 * @throws SandboxUnavailableError if bubblewrap is missing, does not start or does not isolate.
 */
export async function openBubblewrap(host: Host, maxWaiting: number): Promise<Sandbox> {
  await startWatcher()
  const { confinement, limits } = await boundedConfinement(await prepareConfinement(host), host)
  const { programs, fingerprint } = host.installation
  const fonts = fontAwareRunner((command, options) => runConfined(confinement, command, options), {
    cache: { dir: join(host.cacheDir, `fonts-${fingerprint}`), insideDir: CONFINED_FONT_CACHE },
    workRoot: host.workRoot,
    owner: host.owner,
  })
  const { findFontCache } = fonts
  const run = tectonicRunner(fonts.run, confinement.profile.tectonic, host)
  // Tectonic has no network access here, so it needs a bundle.
  const has = (program: string): boolean =>
    programs.has(program) && (program !== 'tectonic' || confinement.profile.tectonic !== null)
  const { workspaces } = confinement
  const pictures = { dir: host.pictureDir, workspaces, has, run }
  const { resume, ...waiting } = openWaitingPrograms({
    workspaces,
    start: async (command, place, options) => {
      const fontCache = await findFontCache(command.program, place.workspaceDir, options)
      return startConfined(confinement, command, { ...place, fontCache })
    },
    startReading: async (command, place, options) => {
      const fontCache = await findFontCache(command.program, place.workspaceDir, options)
      return startReadingConfined(confinement, command, { ...place, fontCache })
    },
    resume: (program, options) => resumeConfined(confinement, program, options),
    maxCount: maxWaiting,
  })
  return {
    kind: 'bubblewrap',
    weakness: null,
    limits,
    run: async (command, options) => {
      if (!has(command.program)) return NOT_FOUND
      return (await resume(command, options)) ?? run(command, options)
    },
    has,
    ask: (program, args) => askProgram(host.installation, program, args),
    shortFontMap: confinement.profile.shortFontMap,
    prepareFonts: fonts.prepareFonts,
    keepFonts: fonts.keeper.keep,
    whenFontsKept: fonts.keeper.whenKept,
    makeFonts: (order) =>
      makeFonts(order, {
        dir: madeFontDir(host.supplementDir),
        workspaces,
        path: programPath(confinement.profile),
        run,
      }),
    convertPicture: (order) => convertPicture(order, pictures),
    findConvertedPicture: (picture) => findConvertedPicture(picture, pictures),
    readResult,
    ...waiting,
    stopWaiting: async () => {
      fonts.keeper.stop()
      await waiting.stopWaiting()
    },
    close: async () => {
      // Together, because an engine that is starting waits for the font caches.
      await Promise.all([fonts.close(), waiting.stopWaiting()])
    },
  }
}

type IsolationSetup = Omit<Confinement, 'workspaces'>

async function prepareConfinement(host: Host): Promise<IsolationSetup> {
  const { installation, owner, cacheDir } = host
  const finding = findBubblewrap(host.searchPath)
  const preparing = Promise.all([
    finding.then(({ architecture }) => prepareFilterFile(cacheDir, architecture)),
    prepareProgramFolder(cacheDir, installation),
    prepareShortLists(cacheDir, installation),
    prepareShortFontMap(cacheDir, installation),
    findRootLinks(),
  ])
  preparing.catch(() => {}) // Awaited below, unless a program is missing.
  const { path, canDisableUserNamespaces } = await finding
  if (!installation.programs.has('prlimit')) {
    throw new SandboxUnavailableError({
      code: 'NO_PRLIMIT',
      reason: 'prlimit is not installed.',
      remedy: 'Install it: apt-get install util-linux',
    })
  }
  const [filterFile, programDir, shortLists, shortFontMap, rootLinks] = await preparing
  return {
    bubblewrap: path,
    filterFile,
    owner,
    maxProcesses: processLimit(release()),
    profile: {
      programDir,
      ownProgramDir: installation.ownProgramDir,
      formatDir: host.formatDir,
      supplementDir: host.supplementDir,
      trees: installation.trees,
      shortLists,
      shortFontMap,
      tectonic: tectonicSupply(host),
      rootLinks,
      canDisableUserNamespaces,
    },
  }
}

/**
 * Adds the kernel features that enforce the limits of a compile. Each is tested together with the isolation; features
 * that fail are left out, and the reason is recorded.
 */
async function boundedConfinement(
  setup: IsolationSetup,
  { searchPath, workRoot, owner }: Host,
): Promise<{ readonly confinement: Confinement; readonly limits: LimitEnforcement }> {
  const tryWith = async (parts: Pick<WorkspacesOptions, 'maker' | 'cgroup'>) => {
    const confinement: Confinement = { ...setup, workspaces: openWorkspaces({ workRoot, owner, ...parts }) }
    return probeConfinement(confinement).then(() => confinement, reasonOf)
  }
  const maker = await findBoundedFolderMaker(searchPath, { mountPoint: workRoot, owner })
  const bounded = maker === null ? 'unshare or nsenter is missing.' : await tryWith({ maker, cgroup: null })
  const disk = typeof bounded === 'string' ? watchedDisk(bounded) : null
  const watched: Confinement = { ...setup, workspaces: openWorkspaces({ workRoot, owner, maker: null, cgroup: null }) }
  // With a bounded folder, the isolation has just been tested.
  if (disk !== null) await probeConfinement(watched)
  const cgroup = await openCgroupParent()
  const parts = { maker: disk === null ? maker : null, cgroup }
  const limited = cgroup === null ? 'no control group is delegated to this process.' : await tryWith(parts)
  const memory = typeof limited === 'string' ? watchedMemory(limited) : null
  const confinement = [limited, bounded].find((result) => typeof result !== 'string') ?? watched
  return { confinement, limits: { disk, memory } }
}

function reasonOf(error: unknown): string {
  return error instanceof SandboxUnavailableError ? error.reason : String(error)
}

function tectonicSupply({ cacheDir, installation, tectonicBundle }: Host): TectonicSupply | null {
  if (tectonicBundle === null) return null
  const dir = join(cacheDir, supplyName(tectonicBundle, installation.fingerprint))
  const insideBundle =
    tectonicBundle.kind === 'given'
      ? posix.join(CONFINED_BUNDLE, basename(tectonicBundle.path))
      : posix.join(CONFINED_TECTONIC, 'bundle')
  return { dir, insideDir: CONFINED_TECTONIC, bundle: tectonicBundle, insideBundle }
}

/**
 * The limit on processes of a run, as the kernel counts them: since Linux 5.14 within its own user namespace, before
 * that over all processes of the user.
 */
export function processLimit(kernelRelease: string): number {
  const [major = 0, minor = 0] = kernelRelease.split('.').map(Number)
  const countsPerNamespace = major > 5 || (major === 5 && minor >= 14)
  return countsPerNamespace ? PROCESS_LIMITS.processes : PROCESS_LIMITS.processesOfUser
}

/** Top-level symbolic links into /usr on this host, recreated inside. */
async function findRootLinks(): Promise<Map<string, string>> {
  const links = new Map([['/bin', 'usr/bin']])
  for (const name of ['/lib', '/lib64']) {
    const found = await lstat(name).catch(() => null) // Absent on this host.
    if (found?.isSymbolicLink()) links.set(name, await readlink(name))
  }
  return links
}

/** The folder of a compile is on disk and polled. */
function watchedDisk(reason: string): SandboxWeakness {
  return {
    code: 'DISK_WATCHED',
    reason: `Compiles write to a folder on disk of unlimited size: ${reason}`,
    remedy:
      'Install util-linux and mount, and let the service mount a tmpfs: as an ordinary user in a user namespace, ' +
      'as root with CAP_SYS_ADMIN.',
  }
}

/** The memory of a compile is polled. */
function watchedMemory(reason: string): SandboxWeakness {
  return {
    code: 'MEMORY_WATCHED',
    reason: `The kernel does not limit the memory of a whole compile: ${reason}`,
    remedy:
      'Delegate a control group to the service: systemd unit with Delegate=yes, or `systemd-run --user --scope ' +
      '-p Delegate=yes`, or a container with a writable /sys/fs/cgroup (cgroup v2).',
  }
}
