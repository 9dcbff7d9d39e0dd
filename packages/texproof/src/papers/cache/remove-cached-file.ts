import { randomUUID } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'

import { isAbsent } from '../../base/absent.ts'

/**
 * Removes a file from the cache unless it was used after `usedBefore` (epoch milliseconds). Returns whether it is gone.
 *
 * Another process may add or use the same content between the check and the removal. The file is therefore renamed
 * first: a process that adds it afterwards finds it absent and writes it again, and a use before the rename is visible
 * to the check.
 */
export async function removeCachedFile(
  path: string,
  { usedBefore, onAside = async () => {} }: { readonly usedBefore: number; readonly onAside?: () => Promise<void> },
): Promise<boolean> {
  const aside = `${path}.${randomUUID()}.part`
  try {
    await rename(path, aside)
    await onAside()
    const { atimeMs, mtimeMs } = await stat(aside)
    if (Math.max(atimeMs, mtimeMs) > usedBefore) {
      await rename(aside, path)
      return false
    }
    await rm(aside, { force: true })
    return true
  } catch (error) {
    // Another process has removed it.
    if (isAbsent(error)) return true
    throw error
  }
}
