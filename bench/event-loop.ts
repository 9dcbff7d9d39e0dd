/**
 * Whether compiles disturb the server.
 *
 * First, the delay of the event loop of a server with a heap of a gigabyte, while eight clients compile. Then, whether
 * engines that wait cost requests anything on a machine without a free processor: the same load on a server with and on
 * one without them, in turns.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { eventually } from '../packages/platex/test/support/eventually.ts'
import type { LoopReport } from './event-loop/grow-heap.ts'

const CLIENTS = 8
const MEASURED_MS = Number(process.env['BENCH_SECONDS'] ?? 20) * 1000
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const COMPILES_PER_ROUND = 12
const DELAY_GOAL_MS = 20
const LOAD_GOAL = 1.1

let documentCount = 0

/** Measures, prints, and stores what it found in bench/results. */
export async function run(): Promise<void> {
  const loop = await measureLoop()
  const waiting = await measureWaitingEngines()
  const results = { processor: cpus()[0]?.model ?? '', cores: availableParallelism(), load: loadavg()[0] ?? 0 }
  for (const [name, value] of Object.entries({ ...loop, ...waiting }))
    console.log(`${name.padEnd(22)} ${value.toFixed(2)}`)
  console.log(goalLine('event-loop-delay-p99-ms', loop.p99Ms, DELAY_GOAL_MS))
  console.log(goalLine('waiting-engines-full-load', waiting.waitingRatio, LOAD_GOAL))
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  const file = new URL('results/event-loop.json', import.meta.url)
  await writeFile(file, `${JSON.stringify({ ...results, ...loop, ...waiting }, null, 2)}\n`)
}

async function measureLoop(): Promise<LoopReport & { readonly compiles: number }> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-event-loop-'))
  const reportFile = join(workDir, 'report.json')
  const host = await startHost({
    env: {
      NODE_OPTIONS: `--import=${new URL('event-loop/grow-heap.ts', import.meta.url).href}`,
      BENCH_LOOP_REPORT: reportFile,
      COMPILE_MAX_CONCURRENT: String(CLIENTS),
    },
  })
  try {
    await compileAtOnce(host, { clients: CLIENTS, untilMs: performance.now() + 2_000 })
    await readReport(host, reportFile)
    const compiles = await compileAtOnce(host, { clients: CLIENTS, untilMs: performance.now() + MEASURED_MS })
    const { p50Ms, p99Ms, maxMs, residentMiB } = await readReport(host, reportFile)
    return { p50Ms, p99Ms, maxMs, residentMiB, compiles: compiles.length }
  } finally {
    await host.stop()
    await rm(workDir, { recursive: true })
  }
}

/** The delays since the last report. */
async function readReport(host: RunningHost, reportFile: string): Promise<LoopReport> {
  await rm(reportFile, { force: true })
  process.kill(host.pid, 'SIGUSR2')
  const text = await eventually(() => readFile(reportFile, 'utf8').catch(() => ''))
  return JSON.parse(text) as LoopReport
}

async function measureWaitingEngines(): Promise<{
  readonly withWaitingMs: number
  readonly withoutWaitingMs: number
  readonly waitingRatio: number
}> {
  const hosts = [await startHost(), await startHost({ env: { TEXPROOF_BUILD_WAITING_ENGINES: '0' } })] as const
  try {
    const rounds: (readonly [number, number])[] = []
    const clients = availableParallelism()
    for (const host of hosts) await compileAtOnce(host, { clients, count: clients })
    for (let round = 0; round < ROUNDS; round += 1) {
      const times: number[] = []
      for (const host of hosts) {
        times.push(median(await compileAtOnce(host, { clients, count: COMPILES_PER_ROUND })))
        // Engines that start now belong to this server's turn.
        await sleep(1_000)
      }
      rounds.push([times[0] ?? Number.NaN, times[1] ?? Number.NaN])
    }
    return {
      withWaitingMs: median(rounds.map(([ms]) => ms)),
      withoutWaitingMs: median(rounds.map(([, ms]) => ms)),
      waitingRatio: median(rounds.map(([ms, withoutMs]) => ms / withoutMs)),
    }
  } finally {
    for (const host of hosts) await host.stop()
  }
}

interface Load {
  readonly clients: number
  /** Compiles of all clients together. */
  readonly count?: number
  readonly untilMs?: number
}

/** Each client compiles one document after the other; gives the milliseconds that each took. */
async function compileAtOnce(
  host: RunningHost,
  { clients, count = Infinity, untilMs = Infinity }: Load,
): Promise<number[]> {
  const times: number[] = []
  let started = 0
  const compileInTurn = async (): Promise<void> => {
    while (started < count && performance.now() < untilMs) {
      started += 1
      times.push(await compileOnce(host))
    }
  }
  await Promise.all(Array.from({ length: clients }, compileInTurn))
  return times
}

async function compileOnce(host: RunningHost): Promise<number> {
  documentCount += 1
  const text = `Document ${documentCount}, see~\\ref{end}. ${'Words. '.repeat(2_000)}\\label{end}`
  const source = `\\documentclass{article}\n\\begin{document}\n${text}\n\\end{document}\n`
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${host.port}/compile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`compile: ${answer.status} ${body.slice(0, 200)}`)
  return performance.now() - startedAt
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function goalLine(name: string, measured: number, wanted: number): string {
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${wanted} ${measured <= wanted ? 'met' : 'short'}`
}
