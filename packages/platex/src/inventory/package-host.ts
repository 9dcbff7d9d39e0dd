/**
 * The package manager of the machine: which package provides a missing name, and the command that installs it.
 *
 * The index of the machine's release is used first. A release without an index uses `apt-file` if it is installed, or else
 * the index of the nearest release, whose packages are split in the same way.
 */
import { access, readFile } from 'node:fs/promises'

import { searchAptFile } from '../sandbox/search-apt-file.ts'
import type { Sandbox } from '../sandbox/types.ts'
import { listIndexedReleases, openPackageIndex } from './package-index.ts'
import type { IndexedPackage, PackageIndex } from './package-index.ts'

/** The package manager and package index of a machine. */
export interface PackageHost {
  readonly index: PackageIndex
  /** True if the index is of another release. */
  readonly isApproximate: boolean
  readonly isDebianLike: boolean
  /** True if TeX Live was installed without distribution packages, and `tlmgr` manages it. */
  readonly hasTlmgr: boolean
}

const hosts = new WeakMap<object, Promise<PackageHost>>()

/** Finds the package manager of the machine of a sandbox, once. */
export function findPackageHost(sandbox: Pick<Sandbox, 'ask'>): Promise<PackageHost> {
  const known = hosts.get(sandbox)
  if (known !== undefined) return known
  const host = openHost(sandbox)
  hosts.set(sandbox, host)
  host.catch(() => hosts.delete(sandbox)) // The caller gets the error; the next call tries again.
  return host
}

async function openHost(sandbox: Pick<Sandbox, 'ask'>): Promise<PackageHost> {
  const [osRelease, releases, banner] = await Promise.all([
    // An unknown distribution.
    readFile('/etc/os-release', 'utf8').catch(() => ''),
    listIndexedReleases(),
    sandbox.ask('pdftex', ['--version']),
  ])
  const { name, isExact } = chooseRelease(osRelease, releases)
  return {
    index: await openPackageIndex(name),
    isApproximate: !isExact,
    isDebianLike: /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(osRelease),
    hasTlmgr: banner !== null && banner.includes('TeX Live') && !banner.includes('/Debian'),
  }
}

/** The index for a machine: of its release, or else the newest older one of its family, or else the family's oldest. */
export function chooseRelease(
  osRelease: string,
  releases: readonly string[],
): { readonly name: string; readonly isExact: boolean } {
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(osRelease)?.[1] ?? ''
  const own = `${field('ID')}-${field('VERSION_ID')}`
  if (releases.includes(own)) return { name: own, isExact: true }
  const family = /\bubuntu\b/.test(`${field('ID')} ${field('ID_LIKE')}`) ? 'ubuntu-' : 'debian-'
  const candidates = releases.filter((name) => name.startsWith(family))
  const version = Number.parseFloat(field('VERSION_ID'))
  // Debian testing has no version; derivatives have their own.
  const isComparable = own.startsWith(family) && !Number.isNaN(version)
  const older = candidates.filter((name) => Number.parseFloat(name.slice(family.length)) <= version)
  const name = isComparable && older.length === 0 ? candidates[0] : (isComparable ? older : candidates).at(-1)
  return { name: name ?? '', isExact: false }
}

/** The packages that provide the first of the names with a package, or else a font family. */
export async function findProvider(
  { index, isApproximate, isDebianLike }: PackageHost,
  names: readonly string[],
  family: string | null = null,
): Promise<IndexedPackage | null> {
  const indexed = names.map((name) => index.find(name)).find((found) => found !== null) ?? null
  const provider = indexed ?? (family === null ? null : index.findFont(family))
  if (!isDebianLike || (provider !== null && !isApproximate)) return provider
  const debian = await searchAptFile(names)
  return debian === null ? provider : { debian, texlive: provider?.texlive ?? null }
}

/** The command that installs packages; null if neither apt nor tlmgr has them. */
export async function installCommand(
  { isDebianLike, hasTlmgr }: PackageHost,
  packages: readonly IndexedPackage[],
): Promise<string | null> {
  const fromTexLive = packages.flatMap(({ texlive }) => (hasTlmgr && texlive !== null ? [texlive] : []))
  const fromApt = packages.flatMap(({ debian, texlive }) => (hasTlmgr && texlive !== null ? [] : [debian]))
  if (fromApt.length > 0 && !isDebianLike) return null
  const isInstalled = (await Promise.all(fromApt.map(hasDebianPackage))).some(Boolean)
  const commands = [
    ...(fromTexLive.length === 0 ? [] : [`tlmgr install ${unique(fromTexLive)}`]),
    // A package that is installed but lacks files is reinstalled.
    ...(fromApt.length === 0 ? [] : [`sudo apt-get install ${isInstalled ? '--reinstall ' : ''}${unique(fromApt)}`]),
  ]
  return commands.length === 0 ? null : commands.join(' && ')
}

async function hasDebianPackage(name: string): Promise<boolean> {
  // dpkg keeps the checksums of a package while it is installed.
  const names = [name, `${name}:amd64`, `${name}:arm64`]
  const checks = names.map((each) => access(`/var/lib/dpkg/info/${each}.md5sums`))
  return (await Promise.allSettled(checks)).some(({ status }) => status === 'fulfilled')
}

function unique(names: readonly string[]): string {
  return [...new Set(names)].join(' ')
}
