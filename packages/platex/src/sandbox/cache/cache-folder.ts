import { chmod, cp, link, mkdir, mkdtemp, readdir, readlink, rename, stat, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeTree } from '../remove-tree.ts'
import { SandboxUnavailableError } from '../sandbox-unavailable-error.ts'
import type { UnprivilegedOwner } from '../unprivileged-owner.ts'

const DRAFT_MARK = '.draft-'
/** Filling a draft never takes this long. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000
const DRAFT_POLL_MS = 50
/** Folders named after the fingerprint of an installation: formats, fonts, programs … */
const STAMPED =
  /^(?:unconfined-)?(?:supplement|made-fonts|fonts|pictures|programs|formats|(?:short-)?lists|tectonic)-(?:\w+-)*[0-9a-f]{16}\b/
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
  const isUsable = cacheDir !== null && (owner === null || (await isReachableByOthers(cacheDir)))
  const folder = isUsable ? cacheDir : defaultCacheFolder()
  if (isUsable) await mkdir(folder, { recursive: true, mode: 0o711 })
  else await makeDefaultCache(folder)
  if (!(await isWrittenByUsOnly(folder))) {
    throw new SandboxUnavailableError({
      code: 'CACHE_UNSAFE',
      reason: `The folder ${folder} belongs to another user, or other users can write to it.`,
      remedy: 'Remove it, or choose another cache folder.',
    })
  }
  // The user of the programs must be able to pass through, but not to list or write.
  if (owner !== null) await chmod(folder, 0o711)
  return folder
}

/**
 * A complete folder of this name in the default cache folder of this user, or null.
 *
 * Names contain the fingerprint of what the folder was made from, so its content suits every cache folder.
 */
async function findInDefaultCache(folder: string): Promise<string | null> {
  const top = defaultCacheFolder()
  const found = join(top, basename(folder))
  if (!STAMPED.test(basename(folder)) || found === folder || !(await isFolder(found))) return null
  return (await isWrittenByUsOnly(top)) ? found : null
}

function defaultCacheFolder(): string {
  return join(tmpdir(), `platex-${process.getuid?.() ?? 'user'}`)
}

/** With `recursive`, `mkdir` would never return if the folder of temporary files accepts no folders, such as `/proc`. */
async function makeDefaultCache(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o711 })
  } catch (error) {
    if (!(await isFolder(folder))) throw error
  }
}

async function isWrittenByUsOnly(folder: string): Promise<boolean> {
  const { uid, mode } = await stat(folder)
  const isOurs = process.getuid === undefined || uid === process.getuid()
  return isOurs && (mode & 0o022) === 0
}

async function isReachableByOthers(folder: string): Promise<boolean> {
  return (await findClosedFolder(folder)) === null
}

/** The topmost folder above this one that other users cannot pass through; null if they can pass through all that exist. */
export async function findClosedFolder(folder: string): Promise<string | null> {
  let closed: string | null = null
  for (let step = folder; step !== dirname(step); step = dirname(step)) {
    const mode = await stat(step).then(
      (found) => found.mode,
      () => null,
    )
    // Only our own folder may be made accessible; those above it belong to the operator.
    if (mode !== null && step !== folder && (mode & 0o001) === 0) closed = step
  }
  return closed
}

/**
 * Creates a folder once: `fill` writes to a private draft that is renamed when complete. It is not called if the default
 * cache folder of this user contains the folder.
 *
 * Of several processes that want the same folder, the first fills its draft and the others wait for it: indexing fonts
 * takes half a minute on one processor, and many times that if every process does it.
 */
export async function prepareFolderOnce(
  folder: string,
  fill: (emptyDir: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  if (await isFolder(folder)) return
  const draft = await mkdtemp(`${folder}${DRAFT_MARK}${Date.now()}-${process.pid}-`)
  try {
    while (!(await isFirstDraft(draft))) {
      signal?.throwIfAborted()
      await sleep(DRAFT_POLL_MS)
      if (await isFolder(folder)) return await removeTree(draft)
    }
    if (!(await linkPrepared(folder, draft))) await fill(draft)
    await chmod(draft, 0o755)
    await rename(draft, folder)
  } catch (error) {
    await removeTree(draft)
    if (!(await isFolder(folder))) throw error
  }
}

/**
 * Links or copies what set-up or another service of this user has prepared; false if there is nothing. Formats, programs
 * and fonts have 180 MB, and nothing changes them once they are complete.
 */
async function linkPrepared(folder: string, draft: string): Promise<boolean> {
  const prepared = await findInDefaultCache(folder)
  if (prepared === null) return false
  try {
    await linkTree(prepared, draft)
    return true
  } catch {
    // Another process has removed it in the meantime.
    await removeTree(draft)
    await mkdir(draft, { mode: 0o700 })
    return false
  }
}

async function linkTree(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      await mkdir(target)
      await linkTree(source, target)
      await chmod(target, (await stat(source)).mode)
    } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    // On another file system, the copy must not look newer: luaotfload compares times.
    else await link(source, target).catch(() => cp(source, target, { preserveTimestamps: true }))
  }
}

/** Whether no running process began a draft of the same folder earlier. */
async function isFirstDraft(draft: string): Promise<boolean> {
  const [prefix = ''] = basename(draft).split(DRAFT_MARK)
  const names = await readdir(dirname(draft))
  const drafts = names.filter((name) => name.startsWith(prefix + DRAFT_MARK)).toSorted()
  return drafts.find((name) => name === basename(draft) || isBeingFilled(name)) === basename(draft)
}

function isBeingFilled(draftName: string): boolean {
  const [, startedAt, pid] = /-(\d+)-(\d+)-\w+$/.exec(draftName) ?? []
  if (startedAt === undefined || Date.now() - Number(startedAt) > ABANDONED_AFTER_MS) return false
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false // The process has ended, or runs in another container.
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
