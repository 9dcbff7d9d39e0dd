import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import { whenAbsent } from './absent.ts'

/**
 * Creates a folder with its parents, and returns the first one that was missing; undefined if the folder exists.
 *
 * `mkdir` with `recursive` never returns where a folder accepts no other one: in `/proc`, or under an unmounted automount
 * point. Use this function for every path that an operator chooses.
 */
export async function makeFolders(path: string, mode = 0o777): Promise<string | undefined> {
  if (await isFolder(path)) return undefined
  const first = await makeFolders(dirname(path), mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isFolder(path)) return first // Another process has created it.
    throw error
  }
  return first ?? path
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(whenAbsent(null))
  return stats?.isDirectory() === true
}
