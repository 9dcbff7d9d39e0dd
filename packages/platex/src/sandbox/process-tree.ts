import { readdirSync, readFileSync, statSync } from 'node:fs'

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

/** Bytes of memory the processes have in use, pages shared between them counted once for each. */
export function residentBytes(pids: readonly number[]): number {
  const pageBytes = 4096
  return pids.reduce((sum, pid) => sum + Number(readOrEmpty(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes, 0)
}

/** Bytes on disk of files that have no name any more but are still open: no walk through folders can see them. */
export function namelessFileBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + openNamelessBytes(pid), 0)
}

function childrenOf(pid: number): number[] {
  // All our programs fork from their first thread except xdvipdfmx-like helpers, so ask every thread.
  return threadsOf(pid).flatMap((thread) =>
    readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return [] // The process has ended since it was listed.
  }
}

function openNamelessBytes(pid: number): number {
  return descriptorsOf(pid).reduce((sum, descriptor) => sum + namelessBytesOf(pid, descriptor), 0)
}

function namelessBytesOf(pid: number, descriptor: string): number {
  try {
    const found = statSync(`/proc/${pid}/fd/${descriptor}`)
    return found.isFile() && found.nlink === 0 ? found.blocks * 512 : 0
  } catch {
    return 0 // Closed since it was listed; or the process is just ending, when the kernel shows its descriptors to root only.
  }
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
  } catch {
    return [] // Ended, or not ours to look into.
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // The process has ended since it was listed.
  }
}
