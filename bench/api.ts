/**
 * Compares the REST API with a minimal Node.js server and with nginx, both sending the same bytes. All servers
 * alternate within one run, so that other load on the machine affects them equally. Then measures the same pages with a
 * hundred thousand repositories. Requires wrk, and nginx for its column.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import { fillStore } from './api/fill-store.ts'
import { pacedLoad } from './api/paced-load.ts'
import { startBareNode, startNginx, startServe, startTexproof } from './api/servers.ts'
import type { BenchServer, FixedAnswer } from './api/servers.ts'
import { runWrk } from './run-wrk.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
/**
 * Target rate through `texproof serve`, with its listeners, limits and log, as a share of the rate of the bare server.
 */
const serveGoal = 0.4
const serveConnections = 16
const small = { repositories: 30, ofAlice: 30, branches: 30, tags: 30 }
const large = { repositories: 100_000, ofAlice: 10_000, branches: 100_000, tags: 20_000 }

/** The measured requests, and the target share of the rate of the bare server. */
const pages = [
  { name: 'repository', path: '/repos/alice/paper-0', goal: 0.5 },
  { name: 'private', path: '/repos/alice/paper-1', goal: 0.5 },
  { name: 'own list', path: '/user/repos', goal: 0.25 },
  { name: 'branches', path: '/repos/alice/paper-0/branches', goal: 0.25 },
  { name: 'branch', path: '/repos/alice/paper-0/branches/main', goal: 0.5 },
  { name: 'tags', path: '/repos/alice/paper-0/tags', goal: 0.25 },
]

interface Throughput {
  readonly name: string
  readonly texproof: readonly number[]
  readonly bareNode: readonly number[]
  readonly nginx: readonly number[]
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  // Data is in memory, so that disk speed does not matter.
  const folder = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'texproof-bench-'))
  try {
    const throughput = await measureThroughput(join(folder, 'small'))
    const serve = await measureServe(join(folder, 'serve'))
    const scale = await measureScale(join(folder, 'small'), join(folder, 'large'))
    await store({ throughput, serve, scale })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureThroughput(folder: string) {
  await mkdir(folder)
  const token = await fillStore(folder, small)
  const texproof = await startTexproof(folder)
  const answers = await Promise.all(pages.map((page) => fetchAnswer(texproof, page.path, token)))
  const bareNode = await startBareNode(answers)
  const nginx = await startNginx(answers, join(folder, 'nginx'))
  try {
    console.log(`requests per second, medians (least to most) of ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`)
    const rows: Throughput[] = []
    for (const page of pages) rows.push(await measurePage(page, token, { texproof, bareNode, nginx }))
    const p99Ms = await measureHalfLoad(texproof, token, median(rows[0]?.texproof ?? []) / 2)
    const memoryMb = await texproof.memoryMb()
    console.log(goalLine('api-memory-mb', memoryMb ?? Number.NaN, 200))
    return { rows, p99Ms, memoryMb }
  } finally {
    await Promise.all([texproof.stop(), bareNode.stop(), nginx?.stop()])
  }
}

/** Measures the same pages through the real command. */
async function measureServe(folder: string) {
  // `serve` refuses a data directory that others can read.
  await mkdir(folder, { mode: 0o700 })
  const token = await fillStore(folder, small)
  const texproof = await startServe(folder)
  const answers = await Promise.all(pages.map((page) => fetchAnswer(texproof, page.path, token)))
  const bareNode = await startBareNode(answers)
  const rows = []
  try {
    for (const { name, path } of pages) {
      const rates = { texproof: [] as number[], bareNode: [] as number[] }
      await measureRate(texproof, { path, token, connections: serveConnections })
      for (let round = 0; round < rounds; round += 1) {
        rates.texproof.push(await measureRate(texproof, { path, token, connections: serveConnections }))
        rates.bareNode.push(await measureRate(bareNode, { path, token, connections: serveConnections }))
      }
      console.log(`${name.padEnd(12)} serve ${spread(rates.texproof)}  bare node ${spread(rates.bareNode)}`)
      const ratio = median(rates.texproof.map((rate, index) => rate / (rates.bareNode[index] ?? Number.NaN)))
      console.log(goalLine(`api-serve-${name.replace(' ', '-')}-of-bare`, ratio, serveGoal, 'least'))
      rows.push({ name, ratio, ...rates })
    }
    return rows
  } finally {
    await Promise.all([texproof.stop(), bareNode.stop()])
  }
}

async function measurePage(
  page: (typeof pages)[number],
  token: string,
  servers: { readonly texproof: BenchServer; readonly bareNode: BenchServer; readonly nginx: BenchServer | null },
): Promise<Throughput> {
  const row = { name: page.name, texproof: [] as number[], bareNode: [] as number[], nginx: [] as number[] }
  await measureRate(servers.texproof, { path: page.path, token })
  for (let round = 0; round < rounds; round += 1) {
    row.texproof.push(await measureRate(servers.texproof, { path: page.path, token }))
    row.bareNode.push(await measureRate(servers.bareNode, { path: page.path, token }))
    if (servers.nginx !== null) row.nginx.push(await measureRate(servers.nginx, { path: page.path, token }))
  }
  console.log(
    `${page.name.padEnd(12)} ours ${spread(row.texproof)}  bare node ${spread(row.bareNode)}  nginx ${spread(row.nginx)}`,
  )
  // Ratios are computed within a round, in which both servers have the same conditions.
  const ratios = row.texproof.map((rate, index) => rate / (row.bareNode[index] ?? Number.NaN))
  console.log(goalLine(`api-${page.name.replace(' ', '-')}-of-bare`, median(ratios), page.goal, 'least'))
  return row
}

async function measureHalfLoad(texproof: BenchServer, token: string, perSecond: number): Promise<number> {
  const path = '/api/v3/repos/alice/paper-0'
  const tookMs = await pacedLoad({ origin: texproof.origin, path, token, perSecond, seconds: 5 })
  const p99Ms = tookMs[Math.floor(tookMs.length * 0.99)] ?? Number.NaN
  console.log(`at half load, ${Math.round(perSecond)} requests per second: median ${median(tookMs).toFixed(2)} ms`)
  console.log(goalLine('api-p99-ms-at-half-load', p99Ms, 5))
  return p99Ms
}

/** Compares pages of the large store with pages of the small one; the first request of each is measured separately. */
async function measureScale(smallFolder: string, largeFolder: string) {
  await mkdir(largeFolder)
  console.log(`filling a store with ${large.repositories} repositories …`)
  const largeToken = await fillStore(largeFolder, large)
  const smallToken = await fillStore(`${smallFolder}-again`, small)
  const few = await startTexproof(`${smallFolder}-again`)
  const many = await startTexproof(largeFolder)
  try {
    const rows = []
    for (const { name, path } of pages.filter((page) => ['own list', 'branches', 'tags'].includes(page.name))) {
      const coldMs = await timeRequest(many, path, largeToken)
      const fewMs = await timeRequests(few, path, smallToken)
      const manyMs = await timeRequests(many, path, largeToken)
      const deepMs = await timeRequests(many, `${path}?page=300`, largeToken)
      const shown = [coldMs, fewMs, manyMs, deepMs].map((ms) => ms.toFixed(2))
      console.log(
        `${name.padEnd(12)} first ${shown[0]} ms, page of 30: small ${shown[1]}, large ${shown[2]}, page 300 ${shown[3]}`,
      )
      console.log(goalLine(`api-scale-${name.replace(' ', '-')}`, Math.max(manyMs, deepMs) / fewMs, 2))
      console.log(goalLine(`api-cold-ms-${name.replace(' ', '-')}`, coldMs, 150))
      rows.push({ name, coldMs, fewMs, manyMs, deepMs })
    }
    const memoryMb = await many.memoryMb()
    console.log(goalLine('api-memory-mb-large', memoryMb ?? Number.NaN, 200))
    return { rows, memoryMb }
  } finally {
    await Promise.all([few.stop(), many.stop()])
  }
}

async function fetchAnswer(server: BenchServer, path: string, token: string): Promise<FixedAnswer> {
  const response = await fetch(`${server.origin}/api/v3${path}`, { headers: { Authorization: `token ${token}` } })
  return { path: `/api/v3${path}`, body: await response.text() }
}

function measureRate(
  { origin }: BenchServer,
  { path, token, connections = 32 }: { readonly path: string; readonly token: string; readonly connections?: number },
): Promise<number> {
  return runWrk({ url: `${origin}/api/v3${path}`, connections, authorization: `token ${token}` })
}

async function timeRequests(server: BenchServer, path: string, token: string): Promise<number> {
  const tookMs: number[] = []
  for (let index = 0; index < 300; index += 1) tookMs.push(await timeRequest(server, path, token))
  return median(tookMs)
}

async function timeRequest(server: BenchServer, path: string, token: string): Promise<number> {
  const startedAt = performance.now()
  await fetchAnswer(server, path, token)
  return performance.now() - startedAt
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function spread(values: readonly number[]): string {
  if (values.length === 0) return 'not here'
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(Math.round)
  return `${middle} (${least} to ${most})`
}

function goalLine(name: string, value: number, wanted: number, kind: 'most' | 'least' = 'most'): string {
  const isMet = kind === 'most' ? value <= wanted : value >= wanted
  return `goal ${name} measured ${value.toFixed(2)} wanted ${wanted.toFixed(2)} ${isMet ? 'met' : 'short'}`
}

async function store(results: unknown): Promise<void> {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg(), node: process.version }
  const text = JSON.stringify({ date: new Date().toISOString(), machine, rounds, results }, null, 2)
  await writeFile(new URL('results/api.json', import.meta.url), `${text}\n`)
}
