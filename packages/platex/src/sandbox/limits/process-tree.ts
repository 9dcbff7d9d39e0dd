import { readFileSync, readdirSync, statSync } from 'node:fs'
import { PROCESS_LIMITS } from './limits.ts'

/** More than the process limit allows, so a walk ends even where that limit is not enforced. */
const MAX_PROCESSES = 512

/**
 * Lists a process and everything below it, by pid.
 *
 * Reads of /proc never wait for a disk, so they are synchronous: a few microseconds each, less than a promise costs.
 */
export function listProcessTree(rootPid: number): number[] {
  const pids = [rootPid]
  for (let index = 0; index < pids.length && pids.length < MAX_PROCESSES; index += 1) {
    pids.push(...childrenOf(pids[index] ?? rootPid))
  }
  return pids
}

/**
 * Bytes of memory that processes and everything below them have in use, swapped out or not; pages shared between
 * processes are counted once for each.
 *
 * Memory that no process has in its page table is not seen. Confined programs can only have it as files, which their
 * folder counts: the seccomp filter refuses shared anonymous mappings.
 */
export function memoryBytes(rootPids: readonly number[]): number {
  const pids = new Set(rootPids.flatMap(listProcessTree))
  return [...pids].reduce((sum, pid) => sum + processMemoryBytes(pid), 0)
}

/**
 * Bytes on disk of files below a process that have no name any more but are still open or mapped: no walk through
 * folders can see them. `isWatched` tells which paths count.
 */
export function namelessFileBytes(rootPid: number, isWatched: (path: string) => boolean): number {
  const sizes = new Map<string, number>()
  for (const pid of listProcessTree(rootPid)) {
    for (const thread of threadsOf(pid)) addOpenFiles(sizes, `/proc/${pid}/task/${thread}/fd`)
    addMappedFiles(sizes, pid, isWatched)
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

/** The first thread may have ended while others run: it then shows nothing of the memory they share. */
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

function threadsOf(pid: number): string[] {
  return namesIn(`/proc/${pid}/task`)
}

/** A thread may have a table of descriptors of its own. */
function addOpenFiles(sizes: Map<string, number>, folder: string): void {
  for (const descriptor of namesIn(folder)) {
    try {
      const found = statSync(`${folder}/${descriptor}`)
      if (found.isFile() && found.nlink === 0) sizes.set(String(found.ino), found.blocks * 512)
    } catch {
      // Closed since it was listed; or the process is just ending, when the kernel shows its descriptors to root only.
    }
  }
}

/** What a mapped file takes cannot be asked without a descriptor, so it counts as the largest that is allowed. */
function addMappedFiles(sizes: Map<string, number>, pid: number, isWatched: (path: string) => boolean): void {
  const maps = readOrEmpty(`/proc/${pid}/maps`)
  for (const [, inode = '', path = ''] of maps.matchAll(/^\S+ \S+ \S+ \S+ (\d+) +(\/.*) \(deleted\)$/gm)) {
    if (isWatched(path) && !sizes.has(inode)) sizes.set(inode, PROCESS_LIMITS.fileBytes)
  }
}

/** Empty for a folder that is gone, or not ours to look into. */
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
 * Kills the leader of a process group, the group and everything below it.
 *
 * The group alone is not enough: bubblewrap's child opens a session of its own, and asks to die with its parent only a
 * moment after. Stopping the leader first keeps it from starting that child behind our back.
 */
export function killGroup(leader: number): void {
  sendSignal(leader, 'SIGSTOP')
  const tree = listProcessTree(leader)
  sendSignal(-leader, 'SIGKILL')
  for (const pid of tree) sendSignal(pid, 'SIGKILL')
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself in the meantime.
  }
}
