/**
 * The hostile suite against a real host: `npm run test:hostile -- [--quick] [part of a name …]`.
 *
 * Pushes each input to its own repository and requests every kind of page of it, while `/health` and a private page are
 * requested ten times per second. Exits with 0 if nothing failed, no probe took longer than 250 ms, and the memory of
 * the host returns to within 20 % after a pause.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { ALL_INPUTS } from './inputs/all-inputs.ts'
import type { Disturbances } from './read-disturbances.ts'
import { runAttack, type PageReport } from './run-attack.ts'
import { startHostTarget } from './start-target.ts'
import { watchProbes, type ProbeReport } from './watch-probes.ts'

const MAX_PROBE_MS = 250
const MAX_GROWTH = 1.2
/** Unused threads and caches are released after one and two minutes. */
const REST_MS = 150_000
/** Inputs opened before memory is measured: an unused host needs less than any host in use. */
const WARM_UP = 3

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, rest: { type: 'string', default: String(REST_MS) } },
})

/** Result of the probes during one input. */
interface InputReport {
  readonly name: string
  readonly report: ProbeReport
  /** The longest time that the main thread ran without a pause. */
  readonly turnMs: number
}

process.exitCode = await main()

async function main(): Promise<number> {
  const inputs = ALL_INPUTS.filter(
    ({ name, isQuick }) =>
      (!values.quick || isQuick === true) &&
      (positionals.length === 0 || positionals.some((part) => name.includes(part))),
  )
  const target = await startHostTarget()
  const probes = watchProbes([
    { name: '/health', url: `${target.url}/health`, headers: {} },
    { name: 'a private page', url: target.url + target.privatePage, headers: { cookie: target.aliceCookie } },
  ])
  const problems: string[] = []
  const worst: InputReport[] = []
  const slowPages: PageReport[] = []
  try {
    for (let n = 0; n < WARM_UP; n += 1)
      await runAttack(target, {
        name: `warm-up-${n}`,
        isBuilt: true,
        commits: [
          {
            files: {
              'main.tex': '\\documentclass{article}\\begin{document}a\\end{document}\n',
              'README.md': '# a\n',
              'a.csv': 'a,b\n',
            },
          },
          { files: { 'main.tex': '\\documentclass{article}\\begin{document}b\\end{document}\n' } },
        ],
      })
    await probes.report()
    await delay(5_000)
    const before = await target.readMemory()
    const { slowestMs: idle } = await probes.report()
    console.log(`probes without an attack: ${Math.round(Math.max(...Object.values(idle)))} ms`)
    await target.longestTurnMs()
    for (const input of inputs) {
      const startedAt = performance.now()
      const earlier = await target.readDisturbances()
      const attack = await runAttack(target, input)
      const report = await probes.report()
      const turnMs = await target.longestTurnMs()
      const slowest = Math.max(...Object.values(report.slowestMs))
      const later = await target.readDisturbances()
      const tooSlow = slowest > MAX_PROBE_MS ? [describeSlowProbe(slowest, { earlier, later })] : []
      const found = [...attack.problems, ...report.problems, ...tooSlow]
      const page = attack.pages.toSorted((left, right) => right.durationMs - left.durationMs)[0]
      if (page !== undefined) slowPages.push(page)
      worst.push({ name: input.name, report, turnMs })
      problems.push(...found.map((problem) => `${input.name}: ${problem}`))
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(
        `${found.length === 0 ? 'ok  ' : 'FAIL'} ${input.name} ${seconds} s, probes ${Math.round(slowest)} ms, longest turn ${turnMs} ms`,
      )
      for (const problem of found) console.log(`       ${problem}`)
    }
    const peak = await target.readMemory()
    await delay(Number(values.rest))
    const after = await target.readMemory()
    console.log(`memory: ${megabytes(before)} before, ${megabytes(peak)} at the end, ${megabytes(after)} after a rest`)
    if (after > before * MAX_GROWTH) problems.push(`memory grew from ${megabytes(before)} to ${megabytes(after)}`)
  } finally {
    await probes.stop()
    await target.stop()
  }
  summarize({ count: inputs.length, problems, worst, slowPages })
  return problems.length === 0 && inputs.length > 0 ? 0 : 1
}

function describeSlowProbe(
  slowestMs: number,
  { earlier, later }: { readonly earlier: Disturbances; readonly later: Disturbances },
): string {
  const stolenMs = later.stolenMs - earlier.stolenMs
  const pagesRead = later.pagesRead - earlier.pagesRead
  const diskWaitMs = later.diskWaitMs - earlier.diskWaitMs
  return `a probe took ${Math.round(slowestMs)} ms (the machine lost ${stolenMs} ms to others and waited ${diskWaitMs} ms for the disk, the host read ${pagesRead} pages of memory from disk)`
}

function summarize({
  count,
  problems,
  worst,
  slowPages,
}: {
  readonly count: number
  readonly problems: readonly string[]
  readonly worst: readonly InputReport[]
  readonly slowPages: readonly PageReport[]
}): void {
  console.log(`${count} inputs, ${problems.length} problems`)
  for (const probe of ['/health', 'a private page']) {
    const slowest = worst.toSorted((a, b) => (b.report.slowestMs[probe] ?? 0) - (a.report.slowestMs[probe] ?? 0))[0]
    if (slowest !== undefined)
      console.log(`${probe} answered within ${Math.round(slowest.report.slowestMs[probe] ?? 0)} ms (${slowest.name})`)
  }
  const turn = worst.toSorted((a, b) => b.turnMs - a.turnMs)[0]
  if (turn !== undefined) console.log(`the main thread computed at most ${turn.turnMs} ms at a time (${turn.name})`)
  for (const { path, status, durationMs } of slowPages.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 10))
    console.log(`slow page: ${(durationMs / 1000).toFixed(1)} s, ${status}, ${path.slice(0, 120)}`)
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
