/**
 * The profile: files, devices and namespaces of a confined program.
 *
 * A new root in memory holds the TeX trees read-only, one folder of programs, two devices, the workspace as /compile
 * and its scratch folder as /tmp; then the root itself becomes read-only. There is no /proc, no /sys, no /etc/passwd,
 * no home, no network device and no other process. Every namespace is new, no capability is left, and the program
 * dies with the service.
 */

import { posix } from 'node:path'
import { CONFINED_SCRATCH, CONFINED_WORKSPACE } from '../confined-environment.ts'
import type { ShortFileList } from '../cache/file-lists.ts'
import type { FontMap, ShortFontMap } from '../cache/short-font-map.ts'
import type { FontCache } from '../cache/font-cache.ts'
import type { TectonicSupply } from '../cache/tectonic-supply.ts'

export interface Profile {
  /** Folder bound as /usr/bin. */
  readonly programDir: string
  /** Folder of the programs of a TeX installation outside /usr/bin, or null. */
  readonly ownProgramDir: string | null
  /** Folder of unpacked formats on the host, or null. */
  readonly formatDir: string | null
  /** Folder on the host of our own TeX tree. */
  readonly supplementDir: string
  /** Bound read-only under their own names. */
  readonly trees: readonly string[]
  /** File lists for programs that search few folders of a tree. */
  readonly shortLists: readonly ShortFileList[]
  /** Font map for programs that are configured to read it; null if there is none. */
  readonly shortFontMap: ShortFontMap | null
  /** Bundle and format of Tectonic, or null. */
  readonly tectonic: TectonicSupply | null
  /** Top-level names of the host that are links: `/lib64` → `usr/lib64`. */
  readonly rootLinks: ReadonlyMap<string, string>
  /** False for bubblewrap before 0.8; the seccomp filter refuses new user namespaces all the same. */
  readonly canDisableUserNamespaces: boolean
}

export interface ConfinedRun {
  /** Document folder as bubblewrap finds it. */
  readonly documentDir: string
  /** Working directory inside the workspace, relative. */
  readonly folder: string
  readonly scratchDir: string
  readonly fontCache: FontCache | null
  readonly env: Readonly<Record<string, string>>
  /** Open descriptor of the seccomp program in the child. */
  readonly filterDescriptor: number
  /** Open descriptor in the child that the program waits on before it starts, or null. */
  readonly blockDescriptor: number | null
  readonly isTectonic: boolean
  /** File lists that replace the long ones for the program. */
  readonly shortLists: readonly ShortFileList[]
  readonly fontMap: FontMap
  /** Program and arguments to start inside. */
  readonly command: readonly string[]
}

/** Path of the unpacked formats for a confined program. */
export const CONFINED_FORMATS = '/formats'
/** Path of the bundle and the format for a confined Tectonic. */
export const CONFINED_TECTONIC = '/tectonic'
/** Folder of a configured bundle for a confined Tectonic. The bundle keeps its name, which determines its kind. */
export const CONFINED_BUNDLE = '/tectonic-bundle'
/** Path of our own TeX tree for a confined program. */
export const CONFINED_SUPPLEMENT = '/texmf-supplement'
/** Path of the prebuilt font caches for a confined program. */
export const CONFINED_FONT_CACHE = '/font-cache'

/** Arguments of `bwrap` for one run. */
export function bubblewrapArguments(profile: Profile, run: ConfinedRun): string[] {
  return [
    ['--unshare-all', '--unshare-user', ...(profile.canDisableUserNamespaces ? ['--disable-userns'] : [])],
    ['--uid', '65534', '--gid', '65534', '--hostname', 'tex', '--cap-drop', 'ALL'],
    ['--new-session', '--die-with-parent', '--clearenv'],
    ...Object.entries(run.env).map(([name, value]) => ['--setenv', name, value]),
    readOnly(profile.programDir, '/usr/bin'),
    ...profile.trees.map((tree) => readOnly(tree, tree)),
    ...run.shortLists.map(({ path, replaces }) => readOnly(path, replaces)),
    profile.shortFontMap === null || run.fontMap === 'whole'
      ? []
      : readOnly(profile.shortFontMap.path, profile.shortFontMap.replaces),
    ...[...profile.rootLinks].map(([name, target]) => ['--symlink', target, name]),
    // --dev would add /dev/shm, terminals and standard streams.
    ['--dev-bind', '/dev/null', '/dev/null', '--dev-bind', '/dev/urandom', '/dev/urandom'],
    profile.formatDir === null ? [] : readOnly(profile.formatDir, CONFINED_FORMATS),
    readOnly(profile.supplementDir, CONFINED_SUPPLEMENT),
    run.fontCache === null ? [] : readOnly(run.fontCache.dir, run.fontCache.insideDir),
    profile.tectonic === null || !run.isTectonic ? [] : tectonicMounts(profile.tectonic),
    ['--bind', run.scratchDir, CONFINED_SCRATCH],
    ['--bind', run.documentDir, CONFINED_WORKSPACE, '--chdir', posix.join(CONFINED_WORKSPACE, run.folder)],
    ['--remount-ro', '/'],
    run.blockDescriptor === null ? [] : ['--block-fd', String(run.blockDescriptor)],
    ['--seccomp', String(run.filterDescriptor), '--', ...run.command],
  ].flat()
}

function readOnly(from: string, to: string): string[] {
  return ['--ro-bind', from, to]
}

function tectonicMounts({ dir, insideDir, bundle, insideBundle }: TectonicSupply): string[] {
  return [...readOnly(dir, insideDir), ...(bundle.kind === 'given' ? readOnly(bundle.path, insideBundle) : [])]
}
