/**
 * Loaded into the server that is measured, before its own modules: fills its heap, and writes the delays of its event loop
 * to a file at every SIGUSR2.
 */
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const MIB = 1024 * 1024
const BUFFERS = 8
const BUFFER_BYTES = 96 * MIB
/** Some 100 bytes each. */
const OBJECTS = 2_500_000

/** Measurements that the server reports. */
export interface LoopReport {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly residentMiB: number
}

const reportFile = process.env['BENCH_LOOP_REPORT']

// Threads and processes of the server inherit the option that loads this file.
if (isMainThread && reportFile !== undefined && process.argv[2] === 'serve') {
  const buffers = Array.from({ length: BUFFERS }, (_, n) => Buffer.alloc(BUFFER_BYTES, n + 1))
  const objects = Array.from({ length: OBJECTS }, (_, n) => ({ name: `object ${n}`, size: n, next: [n] }))
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  process.on('SIGUSR2', () => {
    const inMs = (nanoseconds: number): number => nanoseconds / 1e6
    const report: LoopReport = {
      p50Ms: inMs(delays.percentile(50)),
      p99Ms: inMs(delays.percentile(99)),
      maxMs: inMs(delays.max),
      residentMiB: process.memoryUsage().rss / MIB,
    }
    delays.reset()
    // The values keep what fills the heap.
    writeFileSync(reportFile, JSON.stringify({ ...report, kept: buffers.length + objects.length }))
  })
}
