/**
 * Control groups: where the service owns one, the kernel limits memory and processes of a whole compile by itself.
 *
 * A group can be given limits for groups below it only while no process is in it. So there are two cases: a service
 * manager put this process into a group below the one it handed over (systemd: `Delegate=yes`, `DelegateSubgroup=`), or
 * this process is alone in its group and moves one down. Anything else is left alone, and the watcher has to do.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMPILE_LIMITS, PROCESS_LIMITS } from './limits.ts'
import { listProcessTree } from './process-tree.ts'
import type { RunReport } from './types.ts'

const CGROUP_ROOT = '/sys/fs/cgroup'
const OWN_GROUP = 'service'
const RUN_GROUP = 'compile-'
const REMOVAL_ATTEMPTS = 40
const REMOVAL_PAUSE_MS = 25
/** bubblewrap's own processes and `prlimit` come on top of the program's. */
const HELPER_PROCESSES = 8

/** A group below which every run gets a group of its own. */
export interface CgroupParent {
  readonly dir: string
}

/** The group of one run. */
export interface RunCgroup {
  /** Puts a process and all it has started into the group. */
  readonly enter: (pid: number) => void
  /** Kills whatever is still in the group, removes it, and tells whether the kernel had to end something for memory. */
  readonly close: () => Promise<{ readonly ranOutOfMemory: boolean }>
}

/** Finds or makes a group that this process may divide, or null: cgroup v1, nothing handed over, or not alone in it. */
export async function openCgroupParent(
  root: string = CGROUP_ROOT,
  pid: number = process.pid,
): Promise<CgroupParent | null> {
  try {
    const own = ownCgroup(await readFile('/proc/self/cgroup', 'utf8'))
    if (own === null || own === '/') return null
    return await divideCgroup(join(root, own), pid)
  } catch {
    return null // Not ours to write to: the ordinary case.
  }
}

/** Path of the process's group in the unified hierarchy, from /proc/self/cgroup; null on cgroup v1. */
export function ownCgroup(text: string): string | null {
  return /^0::(\/.*)$/m.exec(text)?.[1] ?? null
}

/** Lets the groups below `dir`, or below its parent, be limited; rejects where that is not allowed. */
export async function divideCgroup(dir: string, pid: number): Promise<CgroupParent | null> {
  const inDir = await processesIn(dir)
  if (basename(dir) === OWN_GROUP && (await processesIn(dirname(dir))).length === 0) {
    return enableLimits(dirname(dir))
  }
  if (inDir.length !== 1 || inDir[0] !== pid) return null
  await mkdir(join(dir, OWN_GROUP), { recursive: true })
  await writeFile(join(dir, OWN_GROUP, 'cgroup.procs'), String(pid))
  return enableLimits(dir)
}

async function enableLimits(dir: string): Promise<CgroupParent> {
  await writeFile(join(dir, 'cgroup.subtree_control'), '+memory +pids')
  // A killed service leaves its groups behind; those of a running one are not empty and stay.
  const left = (await readdir(dir)).filter((name) => name.startsWith(RUN_GROUP))
  await Promise.all(left.map((name) => rmdir(join(dir, name)).catch(() => {})))
  return { dir }
}

async function processesIn(dir: string): Promise<number[]> {
  const text = await readFile(join(dir, 'cgroup.procs'), 'utf8')
  return text.split('\n').filter(Boolean).map(Number)
}

/** Runs something in a group of its own where there is a parent for it; without one the watcher has to do. */
export async function withRunCgroup(
  parent: CgroupParent | null,
  run: (onStarted: RunCgroup['enter'] | undefined) => Promise<RunReport>,
): Promise<RunReport> {
  const group = parent === null ? null : await openRunCgroup(parent).catch(() => null)
  if (group === null) return run(undefined)
  const running = run(group.enter)
  const { ranOutOfMemory } = await running.then(group.close, group.close)
  const report = await running
  return ranOutOfMemory ? { ...report, end: { kind: 'limit-exceeded', limit: 'memory' } } : report
}

let groupCount = 0

/** Makes the limited group of one run. */
export async function openRunCgroup(parent: CgroupParent): Promise<RunCgroup> {
  groupCount += 1
  const dir = join(parent.dir, `${RUN_GROUP}${process.pid}-${groupCount}`)
  await mkdir(dir)
  try {
    await limitCgroup(dir)
  } catch (error) {
    await removeEmptied(dir)
    throw error
  }
  return { enter: (pid) => enterCgroup(dir, pid), close: () => closeCgroup(dir) }
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
function enterCgroup(dir: string, pid: number): void {
  const moved = new Set<number>()
  for (;;) {
    const strangers = listProcessTree(pid).filter((member) => !moved.has(member))
    if (strangers.length === 0) return
    for (const stranger of strangers) {
      moved.add(stranger)
      moveInto(dir, stranger)
    }
  }
}

function moveInto(dir: string, pid: number): void {
  try {
    writeFileSync(join(dir, 'cgroup.procs'), String(pid))
  } catch {
    // It has ended since it was listed.
  }
}

async function closeCgroup(dir: string): Promise<{ readonly ranOutOfMemory: boolean }> {
  const events = readEvents(dir)
  await writeFile(join(dir, 'cgroup.kill'), '1').catch(() => {}) // Since Linux 5.14; bubblewrap killed them anyway.
  await removeEmptied(dir)
  return { ranOutOfMemory: /^oom_kill [1-9]/m.test(events) }
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
    return ''
  }
}
