/** The progress of a download, and its end at a limit. git writes a pack while it arrives, and has no such limit itself. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const EVERY_MS = 1_000

/** What to follow. */
export interface FollowOptions {
  /** Git directory of the download. */
  readonly dir: string
  /** Size of its packs at which the download is stopped. */
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Called about once a second with the size of its packs. */
  readonly onBytes?: (bytes: number) => void
}

/** Runs a download, which must end when its signal aborts. Returns its result, or `too-large`. */
export async function followDownload<Result>(
  { dir, maxBytes, signal, onBytes = () => {} }: FollowOptions,
  download: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | 'too-large'> {
  const limit = new AbortController()
  let isRunning = true
  const look = async (): Promise<void> => {
    const bytes = await measurePacks(dir)
    if (!isRunning) return
    if (bytes > maxBytes) return limit.abort()
    if (bytes > 0) onBytes(bytes)
    timer = setTimeout(() => void look(), EVERY_MS)
  }
  let timer = setTimeout(() => void look(), EVERY_MS)
  try {
    const result = await download(AbortSignal.any([signal, limit.signal]))
    return limit.signal.aborted ? 'too-large' : result
  } finally {
    isRunning = false
    clearTimeout(timer)
  }
}

/** git renames a pack when it is complete. */
async function measurePacks(dir: string): Promise<number> {
  const folder = join(dir, 'objects', 'pack')
  const names = await readdir(folder).catch(() => []) // not created yet: measured again soon
  const packs = names.filter((name) => name.startsWith('tmp_pack_') || name.endsWith('.pack'))
  const sizes = packs.map(async (name) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes).catch(() => [])).reduce((sum, size) => sum + size, 0) // renamed meanwhile
}
