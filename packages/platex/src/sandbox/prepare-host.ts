import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openCacheFolder, sweepDrafts } from './cache-folder.ts'
import { prepareFormats } from './format-cache.ts'
import { findTexInstallation, type TexInstallation } from './tex-installation.ts'
import { chooseOwner, type UnprivilegedOwner } from './unprivileged-owner.ts'
import { sweepWorkspaces } from './workspace.ts'

/** What both kinds of sandbox stand on. */
export interface Host {
  readonly installation: TexInstallation
  /** Whom confined programs run as; null = as ourselves. */
  readonly owner: UnprivilegedOwner | null
  readonly cacheDir: string
  /** Holds one folder per running compile. */
  readonly workRoot: string
  readonly searchPath: string
  /** Folder of unpacked formats, or null when there are none. */
  readonly formatDir: string | null
}

/** Finds the programs, opens the cache folder and sweeps what killed processes left in it. */
export async function prepareHost(options: {
  readonly cacheDir: string | null
  readonly searchPath: string
}): Promise<Host> {
  const owner = chooseOwner()
  const cacheDir = await openCacheFolder(options.cacheDir, owner)
  const workRoot = join(cacheDir, 'work')
  await mkdir(workRoot, { recursive: true, mode: 0o711 })
  await sweepWorkspaces(workRoot)
  await sweepDrafts(cacheDir)
  const installation = await findTexInstallation(options.searchPath)
  const formatDir = await prepareFormats(cacheDir, installation.trees)
  return { installation, owner, cacheDir, workRoot, searchPath: options.searchPath, formatDir }
}
