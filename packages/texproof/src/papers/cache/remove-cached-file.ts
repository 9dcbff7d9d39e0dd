import { randomUUID } from 'node:crypto'
import { rename, rm, stat } from 'node:fs/promises'

import { isAbsent } from '../../base/absent.ts'

/**
 * Removes a file of the cache unless it was used after `usedBefore` (epoch milliseconds); says whether it is gone.
 *
 * Somebody may add the same content again between the look and the removal, also from another process. So the file is
 * renamed first: whoever adds it then finds it absent and writes it anew, and whoever marked it as used before the
 * rename is seen by the look after it.
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
    // Somebody else has removed it.
    if (isAbsent(error)) return true
    throw error
  }
}
