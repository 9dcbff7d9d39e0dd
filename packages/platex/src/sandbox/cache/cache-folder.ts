import { chmod, mkdir, mkdtemp, readdir, rename, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { removeTree } from '../remove-tree.ts'
import { SandboxUnavailableError } from '../sandbox-unavailable-error.ts'
import type { UnprivilegedOwner } from '../unprivileged-owner.ts'

const DRAFT_MARK = '.draft-'
/** Filling a draft never takes this long. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000
/** Folders named after the fingerprint of an installation: formats, fonts, programs … */
const STAMPED =
  /^(?:unconfined-)?(?:supplement|made-fonts|fonts|pictures|programs|formats|tectonic)-(?:\w+-)*[0-9a-f]{16}\b/
const USE_MARK_INTERVAL_MS = 24 * 60 * 60 * 1000
/** Services mark the folders they use every day. */
const UNUSED_AFTER_MS = 30 * USE_MARK_INTERVAL_MS

/**
 * Opens the folder for the sandbox's workspaces and everything prepared once for all compiles.
 *
 * A root service runs programs as another user, who must be able to reach the folder: if `cacheDir` is not accessible
 * to others, the default below the system's temporary folder is used.
 *
 * @throws SandboxUnavailableError `CACHE_UNSAFE` if another user owns the folder or can write to it.
 */
export async function openCacheFolder(cacheDir: string | null, owner: UnprivilegedOwner | null): Promise<string> {
  const fallback = join(tmpdir(), `platex-${process.getuid?.() ?? 'user'}`)
  const folder = cacheDir === null || (owner !== null && !(await isReachableByOthers(cacheDir))) ? fallback : cacheDir
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const { uid, mode } = await stat(folder)
  const isOurs = process.getuid === undefined || uid === process.getuid()
  if (!isOurs || (mode & 0o022) !== 0) {
    throw new SandboxUnavailableError({
      code: 'CACHE_UNSAFE',
      reason: `The folder ${folder} belongs to another user or others may write to it.`,
      remedy: 'Remove it, or choose another cache folder.',
    })
  }
  // The user of the programs must be able to pass through, but not to list or write.
  if (owner !== null) await chmod(folder, 0o711)
  return folder
}

/** True if other users can pass through every existing folder on the path. */
async function isReachableByOthers(folder: string): Promise<boolean> {
  for (let step = folder; step !== dirname(step); step = dirname(step)) {
    const mode = await stat(step).then(
      (found) => found.mode,
      () => null,
    )
    // Only our own folder may be made accessible; those above it belong to the operator.
    if (mode !== null && step !== folder && (mode & 0o001) === 0) return false
  }
  return true
}

/**
 * Creates a folder once: `fill` writes to a private copy that is renamed when complete.
 *
 * Two processes may do so at the same time; the first wins and the other copy is deleted.
 */
export async function prepareFolderOnce(folder: string, fill: (emptyDir: string) => Promise<void>): Promise<void> {
  if (await isFolder(folder)) return
  const draft = await mkdtemp(`${folder}${DRAFT_MARK}`)
  try {
    await fill(draft)
    await chmod(draft, 0o755)
    await rename(draft, folder)
  } catch (error) {
    await removeTree(draft)
    if (!(await isFolder(folder))) throw error
  }
}

/** Removes drafts left by killed processes in `cacheDir`. */
export async function sweepDrafts(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.includes(DRAFT_MARK)) continue
    const found = await stat(join(cacheDir, name)).catch(() => null) // Removed by another process.
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await removeTree(join(cacheDir, name))
  }
}

/**
 * Removes folders of earlier TeX installations that no service has used for 30 days, and marks those with one of the
 * `stamps` as used, now and every day while this process runs.
 */
export async function sweepUnusedFolders(cacheDir: string, stamps: readonly string[]): Promise<void> {
  await markUsed(cacheDir, stamps)
  for (const name of await listStamped(cacheDir)) {
    const found = await stat(join(cacheDir, name)).catch(() => null) // Removed by another process.
    if (found !== null && Date.now() - found.mtimeMs > UNUSED_AFTER_MS) await removeTree(join(cacheDir, name))
  }
  const mark = (): void => void markUsed(cacheDir, stamps).catch(() => {}) // The cache folder is gone.
  setInterval(mark, USE_MARK_INTERVAL_MS).unref()
}

async function markUsed(cacheDir: string, stamps: readonly string[]): Promise<void> {
  const now = new Date()
  for (const name of await listStamped(cacheDir)) {
    if (!stamps.some((stamp) => name.includes(stamp))) continue
    await utimes(join(cacheDir, name), now, now).catch(() => {}) // Removed by another process.
  }
}

async function listStamped(cacheDir: string): Promise<readonly string[]> {
  return (await readdir(cacheDir)).filter((name) => STAMPED.test(name) && !name.includes(DRAFT_MARK))
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
