/**
 * Endurance: `npm run test:soak -- [--compiles=1000] [--kills=50]`.
 *
 * First runs many compiles, every tenth one hostile, and compares processes, folders, descriptors and memory of the
 * service before and after. Then kills the service at random moments under load: none of its processes may continue,
 * and the next start must remove the folders. Exits with 0 on success.
 */

import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { article, luaRequest, nativeRequest } from './documents.ts'
import { findLeftovers } from './find-leftovers.ts'
import type { HostileRequest } from './hostile-case.ts'
import { postRequest } from './post-request.ts'
import { compileGood } from './run-case.ts'
import { startTarget, type Target } from './start-target.ts'

/**
 * Growth is measured in the second half only: by then all code is loaded, and the allocator has reached its maximum for
 * the largest output. A leak would continue.
 */
const WARM_UP_SHARE = 0.5
const LANES = 2
const MAX_DESCRIPTOR_GROWTH = 8
const MAX_MEMORY_GROWTH_BYTES = 64 * 1024 * 1024
/** Maximum delay of a kill, in milliseconds after the documents are sent. */
const LATEST_KILL_MS = 2500

const GOOD: HostileRequest = { source: article(String.raw`\section{One}Good text.`), passes: 1 }

const HOSTILE: readonly HostileRequest[] = [
  { source: article(String.raw`\def\x{\x}\x`), timeout: 700 },
  nativeRequest('unless (fork) { exec "sleep", "300" } chmod 0, "."', { timeout: 6000 }),
  luaRequest('for i = 1, 6000 do local f = io.open("f" .. i, "w") if f then f:close() end end', { timeout: 4000 }),
  nativeRequest('for (1 .. 3000) { mkdir "deep"; chdir "deep" }', { timeout: 6000 }),
  {
    source: article(String.raw`\loop\immediate\write16{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\iftrue\repeat`),
    timeout: 1500,
  },
]

const { values } = parseArgs({
  options: { compiles: { type: 'string', default: '1000' }, kills: { type: 'string', default: '50' } },
})

process.exitCode = await main()

async function main(): Promise<number> {
  const problems = [
    ...(await compileManyTimes(Number(values.compiles))),
    ...(await killManyTimes(Number(values.kills))),
  ]
  for (const problem of problems) console.log(`FAIL ${problem}`)
  console.log(problems.length === 0 ? 'nothing was left over' : `${problems.length} problems`)
  return problems.length === 0 ? 0 : 1
}

async function compileManyTimes(count: number): Promise<readonly string[]> {
  const target = await startTarget('required')
  try {
    const half = Math.round(count * WARM_UP_SHARE)
    const problems = [...(await compileRange(target, 0, half))]
    const before = await measure(target)
    problems.push(...(await compileRange(target, half, count)))
    problems.push(...(await findLeftovers(target.pid)))
    const after = await measure(target)
    console.log(`${count} compiles: descriptors ${before.descriptors} -> ${after.descriptors}`)
    console.log(`${count} compiles: memory ${toMib(before.memoryBytes)} -> ${toMib(after.memoryBytes)} MiB`)
    if (after.descriptors > before.descriptors + MAX_DESCRIPTOR_GROWTH) problems.push('descriptors grew')
    if (after.memoryBytes > before.memoryBytes + MAX_MEMORY_GROWTH_BYTES) problems.push('memory grew')
    return problems
  } finally {
    await target.stop()
  }
}

async function compileRange(target: Target, from: number, to: number): Promise<readonly string[]> {
  const problems: string[] = []
  let next = from
  const lane = async () => {
    while (next < to) {
      const index = next
      next += 1
      const isHostile = index % 10 === 9
      const request = isHostile ? (HOSTILE[Math.floor(index / 10) % HOSTILE.length] ?? GOOD) : GOOD
      const { status, text } = await postRequest(target, request)
      const isRight = status === 200 && (isHostile || text.startsWith('{"pdf":"'))
      if (!isRight) problems.push(`compile ${index}: status ${status} ${text.slice(0, 120)}`)
      if (index % 100 === 99) console.log(`${index + 1} compiles`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return problems
}

async function killManyTimes(count: number): Promise<readonly string[]> {
  const problems: string[] = []
  for (let round = 1; round <= count; round += 1) {
    const victim = await startTarget('required')
    // Requests to a killed service never get a response.
    const sent = [...HOSTILE.slice(0, 3), GOOD].map((request) => postRequest(victim, request).catch(() => null))
    const momentMs = Math.round(Math.random() * LATEST_KILL_MS)
    await sleep(momentMs)
    await victim.kill()
    await Promise.all(sent)
    const running = (await findLeftovers(victim.pid)).filter((leftover) => leftover.startsWith('process'))
    const successor = await startTarget('required')
    const compile = await compileGood(successor)
    await successor.stop()
    const folders = (await findLeftovers(victim.pid)).filter((leftover) => leftover.startsWith('workspace'))
    const found = [...running, ...compile, ...folders]
    problems.push(...found.map((problem) => `kill ${round} after ${momentMs} ms: ${problem}`))
    if (round % 10 === 0) console.log(`${round} kills`)
  }
  return problems
}

async function measure(target: Target): Promise<{ readonly descriptors: number; readonly memoryBytes: number }> {
  // Time for idle connections to close and buffers to be collected.
  await sleep(6000)
  const status = await readFile(`/proc/${target.pid}/status`, 'utf8')
  const memoryKib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
  return { descriptors: (await readdir(`/proc/${target.pid}/fd`)).length, memoryBytes: memoryKib * 1024 }
}

function toMib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}
