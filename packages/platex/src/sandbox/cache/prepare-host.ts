import { mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { openCacheFolder, sweepDrafts, sweepUnusedFolders } from './cache-folder.ts'
import { prepareFormats } from './format-cache.ts'
import type { TexInstallation } from '../tex-installation.ts'
import { findGivenBundle, findLatexTrees, type TectonicBundle } from './tectonic-supply.ts'
import { prepareSupplement } from './supplement.ts'
import { chooseOwner, type UnprivilegedOwner } from '../unprivileged-owner.ts'
import { sweepWorkspaces } from '../workspace.ts'

/** Used by both kinds of sandbox. */
export interface Host {
  readonly installation: TexInstallation
  /** User of confined programs; null = the current user. */
  readonly owner: UnprivilegedOwner | null
  readonly cacheDir: string
  /** Contains one folder per running compile. */
  readonly workRoot: string
  readonly searchPath: string
  /** Folder of unpacked formats, or null if there are none. */
  readonly formatDir: string | null
  /** Folder of our own TeX tree. */
  readonly supplementDir: string
  /** Folder of converted pictures, created with the first one. */
  readonly pictureDir: string
  /** Source of Tectonic's files without the network; null = none, or no Tectonic. */
  readonly tectonicBundle: TectonicBundle | null
}

interface HostOptions {
  readonly cacheDir: string | null
  readonly searchPath: string
  /** The configured bundle of Tectonic, or null. */
  readonly tectonicBundle: string | null
}

/** Opens the cache folder, prepares what it keeps of the installation and removes files left by killed processes. */
export async function prepareHost(installation: TexInstallation, options: HostOptions): Promise<Host> {
  const owner = chooseOwner()
  const cacheDir = await openCacheFolder(options.cacheDir, owner)
  const workRoot = join(cacheDir, 'work')
  await mkdir(workRoot, { recursive: true, mode: 0o711 })
  await sweepWorkspaces(workRoot)
  await sweepDrafts(cacheDir)
  const formatDir = await prepareFormats(cacheDir, installation.trees)
  const tectonicBundle = await findTectonicBundle(installation, options.tectonicBundle)
  const formatStamp = formatDir === null ? [] : [basename(formatDir)]
  await sweepUnusedFolders(cacheDir, [installation.fingerprint, installation.programFingerprint, ...formatStamp])
  return {
    installation,
    owner,
    cacheDir,
    workRoot,
    searchPath: options.searchPath,
    formatDir,
    supplementDir: await prepareSupplement(cacheDir, installation.fingerprint),
    pictureDir: join(cacheDir, `pictures-${installation.programFingerprint}`),
    tectonicBundle,
  }
}

async function findTectonicBundle(
  { programs, trees }: TexInstallation,
  chosen: string | null,
): Promise<TectonicBundle | null> {
  if (!programs.has('tectonic')) return null
  return chosen === null ? findLatexTrees(trees) : findGivenBundle(resolve(chosen))
}
