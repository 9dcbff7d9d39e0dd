import { readFile } from 'node:fs/promises'

/** Delays of a host by other causes than its work, since the machine and the host started. */
export interface Disturbances {
  /** Processor time that a virtual machine wanted and did not get. */
  readonly stolenMs: number
  /** Pages of memory, mostly program text, that the host had to read from disk again. */
  readonly pagesRead: number
  /** Time in which some program of the machine waited for its disk. 0 where the kernel does not measure it. */
  readonly diskWaitMs: number
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

/** The disturbances of a process, from `/proc`. */
export async function readDisturbances(pid: number): Promise<Disturbances> {
  const [machine = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const host = await readFile(`/proc/${pid}/stat`, 'utf8')
  // "cpu", then user, nice, system, idle, iowait, irq, softirq, steal.
  const stolen = Number(machine.split(/ +/)[8])
  // The name of the program, in brackets, may contain spaces. After it: state and eight fields, then major faults.
  const pagesRead = Number(host.slice(host.lastIndexOf(')') + 2).split(' ')[9])
  const pressure = await readFile('/proc/pressure/io', 'utf8').catch(() => '') // absent in many containers
  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=0", in microseconds, then "full" for all programs.
  const diskWaitMs = Math.round(Number(/total=(\d+)/.exec(pressure)?.[1] ?? 0) / 1000)
  return { stolenMs: stolen * TICK_MS, pagesRead, diskWaitMs }
}
