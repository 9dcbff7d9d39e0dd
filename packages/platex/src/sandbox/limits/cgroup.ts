/**
 * Control groups: where the service may divide its own, the kernel limits memory and processes of a whole compile,
 * including the files in its bounded folder.
 *
 * Limits of subgroups require that the group itself contains no process. The options, in order: the service manager put
 * this process below the delegated group (systemd: `Delegate=yes`, `DelegateSubgroup=`); the group is the root; this
 * process moves itself down, with its children or with all processes of its container; or the parent group is writable
 * and already limits its subgroups, as in the session of a systemd user.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { access, mkdir, readdir, readFile, rmdir, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMPILE_LIMITS, PROCESS_LIMITS } from './limits.ts'
import { CGROUP_ROOT, ownCgroup } from './own-cgroup.ts'
import { listProcessTree } from './process-tree.ts'

/** On other file systems, files written here would be plain files: version 1 is mounted below. */
const CGROUP2_FILE_SYSTEM = 0x63677270
const OWN_GROUP = 'service'
const COMPILE_GROUP = /^compile-(?<pid>\d+)-\d+$/
const CONTROLLERS = ['memory', 'pids'] as const
const REMOVAL_ATTEMPTS = 40
const REMOVAL_PAUSE_MS = 25
const MOVE_ROUNDS = 10
/** Processes of bubblewrap and `prlimit`, in addition to the processes of the program. */
const HELPER_PROCESSES = 8

/** A group with a subgroup for every compile. */
export interface CgroupParent {
  readonly dir: string
}

/** The group of one compile. */
export interface CompileGroup {
  /** Moves a process and its descendants into the group; throws if the kernel refuses. */
  readonly admit: (pid: number) => void
  /** Number of processes killed by the kernel because the group ran out of memory. */
  readonly countMemoryKills: () => number
  /** Kills the remaining processes of the group and removes it. */
  readonly close: () => Promise<void>
}

/** Finds or creates a group that this process may divide; null on cgroup v1, or without delegation. */
export async function openCgroupParent(root: string = CGROUP_ROOT, pid = process.pid): Promise<CgroupParent | null> {
  // No group can be divided without /proc or cgroup v2.
  const own = ownCgroup(await readFile('/proc/self/cgroup', 'utf8').catch(() => ''))
  const found = await statfs(root).catch(() => null) // As above.
  return own === null || found?.type !== CGROUP2_FILE_SYSTEM ? null : findDivisible(root, own, pid)
}

/** Finds the group to divide for process `pid` in the group `own` below `root`; null if none may be divided. */
export async function findDivisible(root: string, own: string, pid: number): Promise<CgroupParent | null> {
  const dir = join(root, own)
  const isBelowHandedOver = basename(dir) === OWN_GROUP && (await isWithoutProcesses(dirname(dir)))
  if (isBelowHandedOver) return divide(dirname(dir))
  const found = (await divide(dir)) ?? (await moveDown(dir, { pid, isWhole: own === '/' }))
  return found ?? (own === '/' ? null : useLimited(dirname(dir)))
}

/** Enables limits for the groups below `dir`; null if not permitted, or while processes are in it. */
async function divide(dir: string): Promise<CgroupParent | null> {
  try {
    await writeFile(join(dir, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '))
    return await useLimited(dir)
  } catch {
    return null // Not permitted, or processes are in the group.
  }
}

/** Uses a group whose subgroups have limits already; null if they do not, or if subgroups cannot be created. */
async function useLimited(dir: string): Promise<CgroupParent | null> {
  // Not a control group: nothing is enabled.
  const enabled = await readFile(join(dir, 'cgroup.subtree_control'), 'utf8').catch(() => '')
  if (!CONTROLLERS.every((name) => enabled.split(/[\s+]+/).includes(name))) return null
  await removeAbandoned(dir)
  try {
    const trial = await openCompileGroup({ dir })
    await trial.close()
    return { dir }
  } catch {
    return null // Not permitted to create groups here.
  }
}

/**
 * Moves the processes of a group one level down and divides it, if they are this process and its children, or if the
 * group is the whole container. The limits of the group apply to the group below as well.
 */
async function moveDown(dir: string, who: { pid: number; isWhole: boolean }): Promise<CgroupParent | null> {
  try {
    const inside = await processesIn(dir)
    const own = new Set(listProcessTree(who.pid))
    if (!who.isWhole && !inside.every((pid) => own.has(pid))) return null
    await mkdir(join(dir, OWN_GROUP), { recursive: true })
    for (let round = 0; round < MOVE_ROUNDS; round += 1) {
      for (const pid of await processesIn(dir)) moveInto(join(dir, OWN_GROUP), pid)
      const divided = await divide(dir)
      if (divided !== null) return divided
    }
    return null
  } catch {
    return null // Not writable, which is the usual case.
  }
}

async function isWithoutProcesses(dir: string): Promise<boolean> {
  return processesIn(dir).then(
    (pids) => pids.length === 0,
    () => false,
  )
}

async function processesIn(dir: string): Promise<number[]> {
  const text = await readFile(join(dir, 'cgroup.procs'), 'utf8')
  return text.split('\n').filter(Boolean).map(Number)
}

/** Removes groups left by killed services. */
async function removeAbandoned(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    const pid = COMPILE_GROUP.exec(name)?.groups?.['pid']
    if (pid === undefined) continue
    const isRunning = await access(`/proc/${pid}`).then(
      () => true,
      () => false,
    )
    if (!isRunning) await rmdir(join(dir, name)).catch(() => {}) // A process is still in it.
  }
}

let groupCount = 0

/** Creates the limited group of one compile. */
export async function openCompileGroup(parent: CgroupParent): Promise<CompileGroup> {
  groupCount += 1
  const dir = join(parent.dir, `compile-${process.pid}-${groupCount}`)
  await mkdir(dir)
  try {
    await limitCgroup(dir)
  } catch (error) {
    await removeEmptied(dir)
    throw error
  }
  return {
    admit: (pid) => admitTree(dir, pid),
    countMemoryKills: () => Number(/^oom_kill (\d+)$/m.exec(readEvents(dir))?.[1] ?? 0),
    close: () => closeCgroup(dir),
  }
}

async function limitCgroup(dir: string): Promise<void> {
  await writeFile(join(dir, 'memory.max'), String(COMPILE_LIMITS.memoryBytes))
  await writeFile(join(dir, 'memory.oom.group'), '1')
  await writeFile(join(dir, 'pids.max'), String(PROCESS_LIMITS.processes + HELPER_PROCESSES))
  // Missing if the kernel does not account for swap.
  await writeFile(join(dir, 'memory.swap.max'), '0').catch(() => {})
}

/**
 * Synchronous, right after the start: children of a process in the group are created in the group, and the few created
 * before are moved until no new ones are found.
 */
function admitTree(dir: string, pid: number): void {
  const moved = new Set<number>()
  for (;;) {
    const unmoved = listProcessTree(pid).filter((member) => !moved.has(member))
    if (unmoved.length === 0) return
    for (const member of unmoved) {
      moved.add(member)
      moveInto(dir, member)
    }
  }
}

function moveInto(dir: string, pid: number): void {
  try {
    writeFileSync(join(dir, 'cgroup.procs'), String(pid))
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!hasEnded) throw error
  }
}

async function closeCgroup(dir: string): Promise<void> {
  await writeFile(join(dir, 'cgroup.kill'), '1').catch(() => {}) // Since Linux 5.14; bubblewrap killed them anyway.
  await removeEmptied(dir)
}

/** A group can be removed after its last process has ended, which the kernel may notice with a delay. */
async function removeEmptied(dir: string): Promise<void> {
  for (let attempt = 0; attempt < REMOVAL_ATTEMPTS; attempt += 1) {
    const isRemoved = await rmdir(dir).then(
      () => true,
      () => false,
    )
    if (isRemoved) return
    await sleep(REMOVAL_PAUSE_MS)
  }
}

function readEvents(dir: string): string {
  try {
    return readFileSync(join(dir, 'memory.events'), 'latin1')
  } catch {
    return '' // The group is removed: no kills to count.
  }
}
