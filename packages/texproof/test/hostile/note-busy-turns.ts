/**
 * Loaded into the host before everything else (`--import`): notes how long its main thread computed without a pause, in
 * CPU time, which unlike the duration of an answer does not depend on what else the machine does.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const LOOK_EVERY_MS = 10
/** Shorter turns are noted by nobody. */
const MIN_NOTED_MS = 20

const file = process.env['HOSTILE_BUSY_TURNS']
if (isMainThread && file !== undefined && process.argv.includes('serve')) {
  let last = cpuMs()
  setInterval(() => {
    const now = cpuMs()
    if (now - last >= MIN_NOTED_MS) appendFileSync(file, `${Math.round(now - last)}\n`)
    last = cpuMs()
  }, LOOK_EVERY_MS).unref()
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
