/**
 * Priorities of confined programs: below the service, and lower the more processor time they use, so that short compiles
 * pass long ones.
 *
 * Linux distributes processor time between sessions first, where `kernel.sched_autogroup_enabled` is set, and a nice
 * value only counts within one. Every run has sessions of its own, so their groups get the same value.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { listProcessTree, threadsOf } from './process-tree.ts'

/** Nice value of a program at its start, added to the nice value of the service. */
export const START_NICENESS = 2
/** Lower priorities would starve long compiles beside other programs of the machine. */
const MAX_NICENESS = 10
const NICENESS_PER_CPU_SECOND = 2
const LOWEST_PRIORITY = 19
/** `USER_HZ`, the same on every Linux system. */
const TICKS_PER_SECOND = 100

/** Nice value of a run that has used this much processor time. */
export function nicenessOf(cpuSeconds: number): number {
  return Math.min(MAX_NICENESS, START_NICENESS + Math.floor(cpuSeconds * NICENESS_PER_CPU_SECOND))
}

/** Processor time in seconds that a process, its descendants and those they have waited for have used. */
export function cpuSeconds(rootPid: number): number {
  const ticks = listProcessTree(rootPid).reduce((sum, pid) => sum + cpuTicks(pid), 0)
  return ticks / TICKS_PER_SECOND
}

/** Gives a process and its descendants a nice value; false if it must be repeated later. */
export function renice(rootPid: number, niceness: number): boolean {
  return listProcessTree(rootPid)
    .map((pid) => reniceProcess(pid, niceness))
    .every(Boolean)
}

/** Gives a process and its session a nice value; false if it must be repeated later. */
export function reniceProcess(pid: number, niceness: number): boolean {
  for (const thread of threadsOf(pid)) reniceThread(Number(thread), niceness)
  return reniceSession(pid, niceness)
}

function reniceThread(thread: number, niceness: number): void {
  try {
    setPriority(thread, Math.min(LOWEST_PRIORITY, Math.max(0, getPriority(process.pid)) + niceness))
  } catch {
    // It has ended, or has a higher value, which an ordinary user cannot lower.
  }
}

function reniceSession(pid: number, niceness: number): boolean {
  const path = `/proc/${pid}/autogroup`
  try {
    if (!readFileSync(path, 'latin1').endsWith(` nice ${niceness}\n`)) writeFileSync(path, String(niceness))
    return true
  } catch (error) {
    // An ordinary user may write ten values per second. Otherwise the process has ended, or sessions have no groups.
    return !(error instanceof Error && 'code' in error && error.code === 'EAGAIN')
  }
}

/** The second field is the program's name in brackets and may contain anything; the times are the 12th to 15th after it. */
function cpuTicks(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  } catch {
    return 0 // The process has ended.
  }
}
