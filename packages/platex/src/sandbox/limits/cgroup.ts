/**
 * Control groups: where the service may divide its own, the kernel limits memory and processes of a whole compile by
 * itself, the files in its bounded folder included.
 *
 * A group can be given limits for groups below it only while no process is in it. The ways to come by one, in order: a
 * service manager put this process below the group it handed over (systemd: `Delegate=yes`, `DelegateSubgroup=`); the
 * group is the root of all; this process moves itself down, with what it
 * started or with everything else in its container; or the
 * group above is ours to divide and already limits its groups, as in the session of a systemd user.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { access, mkdir, readdir, readFile, rmdir, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMPILE_LIMITS, PROCESS_LIMITS } from './limits.ts'
import { listProcessTree } from './process-tree.ts'

const CGROUP_ROOT = '/sys/fs/cgroup'
/** Where it is something else, version 1 is mounted below, and files written here would be plain files. */
const CGROUP2_FILE_SYSTEM = 0x63677270
const OWN_GROUP = 'service'
const COMPILE_GROUP = /^compile-(?<pid>\d+)-\d+$/
const CONTROLLERS = ['memory', 'pids'] as const
const REMOVAL_ATTEMPTS = 40
const REMOVAL_PAUSE_MS = 25
const MOVE_ROUNDS = 10
/** bubblewrap's own processes and `prlimit` come on top of the program's. */
const HELPER_PROCESSES = 8

/** A group below which every compile gets a group of its own. */
export interface CgroupParent {
  readonly dir: string
}

/** The group of one compile. */
export interface CompileGroup {
  /** Puts a process and all it has started into the group; throws when the kernel refuses. */
  readonly admit: (pid: number) => void
  /** How many processes the kernel has ended because the group ran out of memory. */
  readonly countMemoryKills: () => number
  /** Kills whatever is still in the group and removes it. */
  readonly close: () => Promise<void>
}

/** Finds or makes a group that this process may divide; null on cgroup v1, or when nothing was handed over. */
export async function openCgroupParent(root: string = CGROUP_ROOT, pid = process.pid): Promise<CgroupParent | null> {
  // Without /proc or cgroup v2, no group can be divided.
  const own = ownCgroup(await readFile('/proc/self/cgroup', 'utf8').catch(() => ''))
  const found = await statfs(root).catch(() => null) // As above.
  return own === null || found?.type !== CGROUP2_FILE_SYSTEM ? null : findDivisible(root, own, pid)
}

/** Path of the process's group in the unified hierarchy, from /proc/self/cgroup; null on cgroup v1. */
export function ownCgroup(text: string): string | null {
  return /^0::(\/.*)$/m.exec(text)?.[1] ?? null
}

/** Finds the group to divide for process `pid` in the group `own` below `root`; null when none may be divided. */
export async function findDivisible(root: string, own: string, pid: number): Promise<CgroupParent | null> {
  const dir = join(root, own)
  const isBelowHandedOver = basename(dir) === OWN_GROUP && (await isWithoutProcesses(dirname(dir)))
  if (isBelowHandedOver) return divide(dirname(dir))
  const found = (await divide(dir)) ?? (await moveDown(dir, { pid, isWhole: own === '/' }))
  return found ?? (own === '/' ? null : useLimited(dirname(dir)))
}

/** Lets the groups below `dir` be limited; null where that is not allowed, as while processes are in it. */
async function divide(dir: string): Promise<CgroupParent | null> {
  try {
    await writeFile(join(dir, 'cgroup.subtree_control'), CONTROLLERS.map((name) => `+${name}`).join(' '))
    return await useLimited(dir)
  } catch {
    return null // Not permitted, or processes are in the group.
  }
}

/** Takes a group whose groups are limited already; null when they are not, or when we may not make any. */
async function useLimited(dir: string): Promise<CgroupParent | null> {
  // Not a group: nothing is enabled.
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
 * Moves the processes of a group one down and divides it: when they are this process and what it started, or when the
 * group is the whole container. The limits of the group hold for the group below as well.
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
    return null // Not ours to write to: the ordinary case.
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

/** A killed service leaves its groups behind. */
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

/** Makes the limited group of one compile. */
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
  // Absent where the kernel does not account for swap.
  await writeFile(join(dir, 'memory.swap.max'), '0').catch(() => {})
}

/**
 * Synchronous, straight after the start: children that a process makes once it is in the group are born there, and the
 * few it made before are moved until none is new.
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

/** A group can be removed once its last process is gone, which the kernel may take a moment for. */
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
