/**
 * Loaded into the host before everything else (`--import`): records how long its main thread runs without a pause, in
 * CPU time, which unlike response times does not depend on other load.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const LOOK_EVERY_MS = 10
/** Shorter turns are not recorded. */
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
