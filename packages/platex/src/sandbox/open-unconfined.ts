import { dirname, join } from 'node:path'
import { askProgram } from './tex-installation.ts'
import { confinedEnvironment } from './confined-environment.ts'
import { fontAwareRunner } from './cache/font-aware-runner.ts'
import type { FontCache } from './cache/font-cache.ts'
import { COMPILE_LIMITS, limitArguments } from './limits/limits.ts'
import { openWorkspaces, type OpenWorkspace } from './open-workspaces.ts'
import { chownTree } from './unprivileged-owner.ts'
import type { Host } from './cache/prepare-host.ts'
import { convertPicture, findConvertedPicture } from './pictures/convert-picture.ts'
import { readResult } from './read-result.ts'
import { startWatcher } from './limits/run-watcher.ts'
import { tectonicRunner } from './cache/tectonic-runner.ts'
import { supplyName, type TectonicSupply } from './cache/tectonic-supply.ts'
import type { RunReport, Sandbox, SandboxCommand, SandboxRunOptions, SandboxWeakness } from './types.ts'
import { NOT_FOUND, runProcess } from './run-process.ts'

/**
 * Opens a sandbox without isolation: the same environment and limits, but the host's files and network.
 *
 * Only for trusted documents, and for hosts where bubblewrap does not work.
 */
export async function openUnconfined(host: Host, weakness: SandboxWeakness): Promise<Sandbox> {
  await startWatcher()
  const { programs, fingerprint } = host.installation
  const { workRoot, owner } = host
  const workspaces = openWorkspaces({ workRoot, owner, maker: null, cgroup: null })
  // Separate from the cache of isolated compiles, because documents here can write to this one.
  const fontDir = join(host.cacheDir, `fonts-unconfined-${fingerprint}`)
  const fonts = fontAwareRunner(
    (command, options) =>
      runUnconfined(host, command, { ...options, workspace: workspaces.find(options.workspaceDir) }),
    {
      cache: { dir: fontDir, insideDir: fontDir },
      workRoot,
      owner,
    },
  )
  const supply = tectonicSupply(host)
  const run = tectonicRunner(fonts.run, supply, host)
  const has = (program: string): boolean => programs.has(program)
  // Separate for the same reason as the fonts.
  const pictures = { dir: `${host.pictureDir}-unconfined`, workspaces, has, run }
  return {
    kind: 'none',
    weakness,
    limits: { disk: weakness, memory: weakness },
    run: async (command, options) => (programs.has(command.program) ? run(command, options) : NOT_FOUND),
    has,
    shortFontMap: null,
    ask: (program, args) => askProgram(host.installation, program, args),
    prepareFonts: fonts.prepareFonts,
    // A document could give a font of its own the name, size and time of another one.
    keepFonts: () => {},
    whenFontsKept: async () => {},
    // Without isolation a document starts METAFONT itself.
    makeFonts: async () => [],
    convertPicture: (order) => convertPicture(order, pictures),
    findConvertedPicture: (picture) => findConvertedPicture(picture, pictures),
    // Without isolation no program is started ahead of its document.
    createWorkspace: (inputs, { partOf } = {}) => workspaces.create(inputs, partOf),
    startAhead: () => {},
    readAhead: async () => null,
    canReadAhead: () => false,
    keepWaiting: async () => {},
    waitingStatus: () => ({ programs: [], memoryBytes: 0, maxCount: 0, hits: 0, misses: 0 }),
    stopWaiting: async () => {},
    close: fonts.close,
    readResult,
    removeWorkspace: workspaces.remove,
  }
}

/** Separate for the same reason; null = Tectonic downloads its bundle. */
function tectonicSupply({ tectonicBundle, cacheDir, installation }: Host): TectonicSupply | null {
  if (tectonicBundle === null) return null
  const dir = join(cacheDir, `unconfined-${supplyName(tectonicBundle, installation.fingerprint)}`)
  const insideBundle = tectonicBundle.kind === 'given' ? tectonicBundle.path : join(dir, 'bundle')
  return { dir, insideDir: dir, bundle: tectonicBundle, insideBundle }
}

/** XeTeX requests METAFONT for every unknown font name, 2 s each. */
const NO_METAFONT: ReadonlySet<string> = new Set(['xetex', 'xelatex'])

async function runUnconfined(
  host: Host,
  command: SandboxCommand,
  options: SandboxRunOptions & { readonly fontCache: FontCache | null; readonly workspace: OpenWorkspace },
): Promise<RunReport> {
  const { installation, owner } = host
  const program = installation.programs.get(command.program)?.path
  if (program === undefined) return NOT_FOUND
  if (owner !== null) await chownTree(options.workspaceDir, owner)
  const { dir, scratchDir, bounds } = options.workspace
  const path = [...new Set([dirname(program), ...host.searchPath.split(':'), '/usr/bin', '/bin'])].join(':')
  const env = {
    ...confinedEnvironment({
      path,
      isIsolated: false,
      scratchDir,
      supplementDir: host.supplementDir,
      fontCacheDir: options.fontCache?.insideDir ?? null,
      formatDir: host.formatDir,
      metricTrees: [],
    }),
    ...(NO_METAFONT.has(command.program) ? { MKTEXTFM: '0' } : {}),
    ...command.env,
  }
  const prlimit = installation.programs.get('prlimit')?.path
  const limited =
    prlimit === undefined
      ? { program, args: command.args }
      : { program: prlimit, args: [...limitArguments(options.timeoutMs, null), '--', program, ...command.args] }
  const watched = {
    compile: dir,
    maxMemoryBytes: COMPILE_LIMITS.memoryBytes,
    folder: { kind: 'on-disk' as const, paths: [dir, scratchDir], bounds },
  }
  return runProcess(
    { ...limited, cwd: join(dir, options.folder ?? ''), env, owner, extraDescriptors: [] },
    { ...options, watched },
  )
}
