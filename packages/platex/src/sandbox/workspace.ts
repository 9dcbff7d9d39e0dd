/**
 * Workspaces: one private folder per compile, with `compile/` (the document) and `tmp/` (scratch) inside.
 *
 * Where the kernel allows it they are bounded folders (`open-workspaces.ts`); these are on disk, are watched, and are
 * named after the process that created them, so that the next start can remove the workspaces of killed processes.
 */

import { chown, mkdir, mkdtemp, readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { removeTree } from './remove-tree.ts'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'

const DOCUMENT_DIR = 'compile'
const SCRATCH_DIR = 'tmp'
const WORKSPACE_NAME = /^(?<host>[a-z0-9]+)-(?<pid>\d+)-(?<startedAt>\d+)-\w+$/
/** How long to keep a folder of a host or container whose processes are not visible. */
const FOREIGN_AGE_MS = 24 * 60 * 60 * 1000

/** Creates an empty workspace below `root` and returns the absolute path of its document folder. */
export async function createWorkspace(root: string, owner: UnprivilegedOwner | null): Promise<string> {
  const outer = await mkdtemp(join(root, `${await makerPrefix()}-`))
  if (owner !== null) await chown(outer, owner.uid, owner.gid)
  return fillWorkspace(outer, owner)
}

/** Creates the folders of a workspace in an empty one and returns the path of its document folder. */
export async function fillWorkspace(outer: string, owner: UnprivilegedOwner | null): Promise<string> {
  for (const folder of [DOCUMENT_DIR, SCRATCH_DIR]) {
    await mkdir(join(outer, folder), { mode: 0o700 })
    if (owner !== null) await chown(join(outer, folder), owner.uid, owner.gid)
  }
  return documentOf(outer)
}

/** Document folder of a workspace. */
export function documentOf(outer: string): string {
  return join(outer, DOCUMENT_DIR)
}

/** Scratch folder that belongs to a document folder of `createWorkspace`. */
export function scratchOf(workspaceDir: string): string {
  return join(dirname(workspaceDir), SCRATCH_DIR)
}

/** Removes a workspace, whatever is in it. */
export async function removeWorkspace(workspaceDir: string): Promise<void> {
  const outer = dirname(workspaceDir)
  if (basename(workspaceDir) !== DOCUMENT_DIR || !WORKSPACE_NAME.test(basename(outer))) {
    throw new Error(`not a workspace: ${workspaceDir}`)
  }
  await removeTree(outer)
}

/** Removes the workspaces below `root` of processes that have ended; returns their number. */
export async function sweepWorkspaces(root: string): Promise<number> {
  const host = await hostMark()
  let sweptCount = 0
  for (const name of await readdir(root)) {
    if (!(await isAbandoned(join(root, name), host))) continue
    await removeTree(join(root, name))
    sweptCount += 1
  }
  return sweptCount
}

async function isAbandoned(folder: string, host: string): Promise<boolean> {
  const maker = WORKSPACE_NAME.exec(basename(folder))?.groups
  // The cache folder may be one that had a folder of this name before.
  if (maker === undefined) return false
  if (maker['host'] !== host) {
    const found = await stat(folder).catch(() => null) // Removed by another process.
    return found !== null && Date.now() - found.mtimeMs > FOREIGN_AGE_MS
  }
  return (await startTime(Number(maker['pid']))) !== maker['startedAt']
}

async function makerPrefix(): Promise<string> {
  return `${await hostMark()}-${process.pid}-${(await startTime(process.pid)) ?? '0'}`
}

/** Identifies this boot and pid namespace, within which a pid is unique; the same for all hosts without /proc. */
async function hostMark(): Promise<string> {
  // Hosts without /proc share one mark.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'host')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '') // As above.
  return `${boot.slice(0, 8)}${namespace.replaceAll(/\D/g, '')}`
}

/**
 * Start of a process in clock ticks since boot, which distinguishes it from a later one with the same pid; null =
 * ended.
 */
async function startTime(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The second field is the program's name in brackets and may contain anything; the start time is the 20th after it.
  return line === null ? null : (line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null)
}
