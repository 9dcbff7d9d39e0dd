import { readFileSync, readdirSync, statSync } from 'node:fs'
import { PROCESS_LIMITS } from './limits.ts'

/** More than the process limit, so that a walk ends even without that limit. */
const MAX_PROCESSES = 512

/**
 * Lists a process and its descendants, by pid.
 *
 * Reads of /proc never wait for a disk, so they are synchronous: a few microseconds each, less than a promise.
 */
export function listProcessTree(rootPid: number): number[] {
  const pids = [rootPid]
  for (let index = 0; index < pids.length && pids.length < MAX_PROCESSES; index += 1) {
    pids.push(...childrenOf(pids[index] ?? rootPid))
  }
  return pids
}

/**
 * Memory in bytes that processes and their descendants use, swapped out or not; pages shared between processes are
 * counted for each.
 *
 * Memory in no page table is not counted. Confined programs can only have it as files, which are counted in their
 * folder, and as a few objects of the kernel for each open file: the seccomp filter refuses shared anonymous mappings
 * and locks of ranges of a file.
 */
export function memoryBytes(rootPids: readonly number[]): number {
  const pids = new Set(rootPids.flatMap(listProcessTree))
  return [...pids].reduce((sum, pid) => sum + processMemoryBytes(pid), 0)
}

/**
 * Bytes on disk of files of a process and its descendants that are deleted but still open or mapped, which a walk
 * through folders cannot find. `isWatched` selects paths.
 */
export function namelessFileBytes(rootPid: number, isWatched: (path: string) => boolean): number {
  const sizes = new Map<string, number>()
  for (const pid of listProcessTree(rootPid)) {
    for (const thread of threadsOf(pid)) addOpenFiles(sizes, `/proc/${pid}/task/${thread}/fd`)
    addMappedFiles(sizes, pid, isWatched)
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

/** The first thread may have ended while others run: it then shows none of their shared memory. */
function processMemoryBytes(pid: number): number {
  for (const thread of threadsOf(pid)) {
    const status = readOrEmpty(`/proc/${pid}/task/${thread}/status`)
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    const swapped = /^VmSwap:\s+(\d+) kB$/m.exec(status)?.[1]
    if (resident !== undefined) return (Number(resident) + Number(swapped ?? 0)) * 1024
  }
  return 0
}

function childrenOf(pid: number): number[] {
  // All our programs fork from their first thread except xdvipdfmx-like helpers, so ask every thread.
  return threadsOf(pid).flatMap((thread) =>
    readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

/** Ids of the threads of a process; none if it has ended. */
export function threadsOf(pid: number): string[] {
  return namesIn(`/proc/${pid}/task`)
}

/** A thread may have a table of descriptors of its own. */
function addOpenFiles(sizes: Map<string, number>, folder: string): void {
  for (const descriptor of namesIn(folder)) {
    try {
      const found = statSync(`${folder}/${descriptor}`)
      if (found.isFile() && found.nlink === 0) sizes.set(String(found.ino), found.blocks * 512)
    } catch {
      // Closed since it was listed; or the process is ending, when the kernel shows its descriptors to root only.
    }
  }
}

/** The size of a mapped file cannot be read without a descriptor, so it counts as the largest allowed. */
function addMappedFiles(sizes: Map<string, number>, pid: number, isWatched: (path: string) => boolean): void {
  const maps = readOrEmpty(`/proc/${pid}/maps`)
  for (const [, inode = '', path = ''] of maps.matchAll(/^\S+ \S+ \S+ \S+ (\d+) +(\/.*) \(deleted\)$/gm)) {
    if (isWatched(path) && !sizes.has(inode)) sizes.set(inode, PROCESS_LIMITS.fileBytes)
  }
}

/** Empty for a missing folder, or one without permission. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // The process has ended, or is not ours.
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // The process has ended since it was listed.
  }
}

/**
 * Kills the leader of a process group, the group and all descendants.
 *
 * The group alone is not enough: bubblewrap's child opens a session of its own, and asks to be killed with its parent
 * only a moment later. The leader is stopped first, so that it cannot start that child meanwhile.
 */
export function killGroup(leader: number): void {
  sendSignal(leader, 'SIGSTOP')
  const tree = listProcessTree(leader)
  sendSignal(-leader, 'SIGKILL')
  for (const pid of tree) sendSignal(pid, 'SIGKILL')
}

/** Suspends a process and its descendants, parents first. */
export function suspendTree(rootPid: number): void {
  for (const pid of listProcessTree(rootPid)) sendSignal(pid, 'SIGSTOP')
}

/** Resumes what `suspendTree` suspended. */
export function resumeTree(rootPid: number): void {
  for (const pid of listProcessTree(rootPid)) sendSignal(pid, 'SIGCONT')
}

/** Processor time in clock ticks of a process and its descendants if all of them sleep; null if one works. */
export function workDone(rootPid: number): number | null {
  let ticks = 0
  for (const pid of listProcessTree(rootPid)) {
    const line = readOrEmpty(`/proc/${pid}/stat`)
    // The second field is the name in brackets; the state follows it, and user and system time are 11 fields later.
    const [state = '', ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    if (state !== 'S') return null
    ticks += Number(fields[10]) + Number(fields[11])
  }
  return ticks
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}
