/**
 * Compares pages of a repository with 50,000 commits with pages of Debian's cgit for the same repository: time to first
 * byte, size, and requests per second. A page is cold if it is the first request to a new host; for cgit, if its cache is
 * empty. A page is cached if it was requested before. Both alternate.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { COMMITS, longHistory } from './web/long-history.ts'
import { measureRates } from './web/measure-rates.ts'
import type { PageRates } from './web/measure-rates.ts'
import { startCgit } from './web/start-cgit.ts'
import type { Cgit } from './web/start-cgit.ts'
import { timePage } from './web/time-page.ts'

const COLD_ROUNDS = Number(process.env['BENCH_COLD_ROUNDS'] ?? 5)
const CACHED_ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 200)
const CACHED_GOAL = 2
const RATE_ROUNDS = 5
const RATE_GOAL = 1
const COLD_GOAL_MS = 100
const START_GOAL_MS = 500
const IDLE_MEMORY_GOAL_MB = 200
/** Time after which a host has finished its start-up tasks, and its idle threads have ended. */
const REST_MS = 75_000

interface PagePair {
  readonly name: string
  /** Path after `/alice/tides`. */
  readonly ours: string
  /** Path after `/tides`. */
  readonly theirs: string
}

interface PageFigures {
  readonly name: string
  /** Time from the command to its first line. */
  readonly startMs: number
  readonly coldMs: number
  readonly worstColdMs: number
  readonly cgitColdMs: number
  readonly cachedMs: number
  readonly cgitCachedMs: number
  readonly kilobytes: number
  readonly packedKilobytes: number
  readonly cgitKilobytes: number
  readonly rates: readonly PageRates[]
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-bench-'))
  const dataDir = join(workDir, 'data')
  try {
    console.log(`making a history of ${COMMITS} commits`)
    const gitDir = await makeHistory(workDir)
    const lastId = await pushHistory({ gitDir, dataDir })
    const cgit = await startCgit(gitDir, workDir)
    try {
      console.log(`${COLD_ROUNDS} cold starts, ${CACHED_ROUNDS} cached rounds, load ${loadavg()[0]?.toFixed(1)}`)
      const figures = await measure({ dataDir, cgit, pages: pagesOf(lastId) })
      await report(figures, await measureIdleMemory(dataDir))
    } finally {
      await cgit.stop()
    }
  } finally {
    await rm(workDir, { recursive: true, maxRetries: 3 })
  }
}

function pagesOf(lastId: string): readonly PagePair[] {
  return [
    { name: 'home', ours: '', theirs: '/' },
    { name: 'file', ours: '/blob/main/chapter.tex', theirs: '/tree/chapter.tex' },
    { name: 'tree', ours: '/tree/main/data', theirs: '/tree/data' },
    { name: 'commits', ours: '/commits/main', theirs: '/log/' },
    { name: 'diff', ours: `/commit/${lastId}`, theirs: `/commit/?id=${lastId}` },
  ]
}

async function makeHistory(workDir: string): Promise<string> {
  const gitDir = join(workDir, 'tides.git')
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', gitDir])
  const importing = spawn('git', ['--git-dir', gitDir, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => importing.once('close', resolve))
  await pipeline(Readable.from(longHistory()), importing.stdin)
  if ((await ended) !== 0) throw new Error('git fast-import failed')
  // Maintenance after a push, for both: Texproof packs and indexes its own copy, cgit gets this one.
  await runGit(['--git-dir', gitDir, 'gc', '--quiet'])
  await runGit(['--git-dir', gitDir, 'commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
  return gitDir
}

async function pushHistory({
  gitDir,
  dataDir,
}: {
  readonly gitDir: string
  readonly dataDir: string
}): Promise<string> {
  const host = await startHost({ dataDir })
  const token = await host.makeToken('alice')
  const answer = await fetch(`${host.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'tides' }),
  })
  if (answer.status !== 201) throw new Error(`create tides: ${answer.status}`)
  await runGit([
    '--git-dir',
    gitDir,
    'push',
    '--quiet',
    `http://git:${token}@127.0.0.1:${host.port}/alice/tides.git`,
    'main',
  ])
  await untilIndexed(dataDir)
  await host.stop()
  return (await runGit(['--git-dir', gitDir, 'rev-parse', 'main'])).trim()
}

/** Waits for the background work of the host after a push. */
async function untilIndexed(dataDir: string): Promise<void> {
  for (let n = 0; n < 600; n += 1) {
    const found = await runProgram('find', [dataDir, '-name', 'commit-graph-chain'])
    if (found !== '') return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the host did not index the history within a minute')
}

interface Comparison {
  readonly dataDir: string
  readonly cgit: Cgit
  readonly pages: readonly PagePair[]
}

async function measure({ dataDir, cgit, pages }: Comparison): Promise<readonly PageFigures[]> {
  const figures: PageFigures[] = []
  for (const page of pages) {
    const cold = { starts: [] as number[], ours: [] as number[], theirs: [] as number[] }
    for (let round = 0; round < COLD_ROUNDS; round += 1) {
      const startedAt = performance.now()
      const host = await startHost({ dataDir })
      cold.starts.push(performance.now() - startedAt)
      cold.ours.push((await timePage(addressOf(host, page))).firstByteMs)
      await host.stop()
      await cgit.forget()
      cold.theirs.push((await timePage(`${cgit.origin}/tides${page.theirs}`)).firstByteMs)
    }
    figures.push({ name: page.name, ...coldFigures(cold), ...(await measureCached({ dataDir, cgit, page })) })
    console.log(tableLine(figures.at(-1)))
  }
  return figures
}

function coldFigures({ starts, ours, theirs }: Readonly<Record<'starts' | 'ours' | 'theirs', readonly number[]>>) {
  return { startMs: median(starts), coldMs: median(ours), worstColdMs: Math.max(...ours), cgitColdMs: median(theirs) }
}

async function measureCached({ dataDir, cgit, page }: Omit<Comparison, 'pages'> & { readonly page: PagePair }) {
  // Some pages are limited for each client, and the load is one client.
  const host = await startHost({ dataDir, env: { TEXPROOF_LIMITS_ANONYMOUS_PER_MINUTE: '1000000' } })
  const [ours, theirs] = [addressOf(host, page), `${cgit.origin}/tides${page.theirs}`]
  // Colors are computed after the first responses; pages are measured with colors.
  for (let n = 0; n < 20; n += 1) await Promise.all([timePage(ours), timePage(theirs)])
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < CACHED_ROUNDS; round += 1) {
    times.ours.push((await timePage(ours)).firstByteMs)
    times.theirs.push((await timePage(theirs)).firstByteMs)
  }
  const [plain, packed, other] = [
    await timePage(ours),
    await timePage(ours, { 'accept-encoding': 'gzip' }),
    await timePage(theirs),
  ]
  const rates = await measureRates({ ours, theirs }, RATE_ROUNDS)
  await host.stop()
  return {
    rates,
    cachedMs: median(times.ours),
    cgitCachedMs: median(times.theirs),
    kilobytes: plain.bytes / 1000,
    packedKilobytes: packed.bytes / 1000,
    cgitKilobytes: other.bytes / 1000,
  }
}

/** Resident memory in MB of an idle host after its first page. */
async function measureIdleMemory(dataDir: string): Promise<number> {
  const host = await startHost({ dataDir })
  await timePage(`${host.url}/alice/tides`)
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  const status = await readFile(`/proc/${host.pid}/status`, 'utf8')
  await host.stop()
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

function addressOf(host: RunningHost, { ours }: PagePair): string {
  return `http://127.0.0.1:${host.port}/alice/tides${ours}`
}

function tableLine(figures: PageFigures | undefined): string {
  if (figures === undefined) return ''
  const { name, coldMs, worstColdMs, cgitColdMs, cachedMs, cgitCachedMs } = figures
  const ms = (value: number): string => value.toFixed(1).padStart(7)
  return (
    `${name.padEnd(8)} cold ${ms(coldMs)} (worst ${ms(worstColdMs)}), cgit ${ms(cgitColdMs)}; ` +
    `cached ${ms(cachedMs)}, cgit ${ms(cgitCachedMs)}; ` +
    `${figures.kilobytes.toFixed(0)} kB, packed ${figures.packedKilobytes.toFixed(0)}, cgit ${figures.cgitKilobytes.toFixed(0)}`
  )
}

async function report(figures: readonly PageFigures[], idleMemoryMb: number): Promise<void> {
  for (const { name, cachedMs, cgitCachedMs } of figures)
    console.log(goalLine(`web-cached-${name}`, cachedMs / cgitCachedMs, CACHED_GOAL))
  for (const { name, rates } of figures)
    for (const { connections, ratio } of rates)
      console.log(goalLine(`web-rate-${name}-${connections}`, ratio, RATE_GOAL, 'least'))
  console.log(goalLine('web-start-ms', median(figures.map(({ startMs }) => startMs)), START_GOAL_MS))
  console.log(goalLine('web-cold-worst-ms', Math.max(...figures.map(({ worstColdMs }) => worstColdMs)), COLD_GOAL_MS))
  console.log(goalLine('web-idle-memory-mb', idleMemoryMb, IDLE_MEMORY_GOAL_MB))
  const machine = { processor: cpus()[0]?.model ?? '', cores: availableParallelism(), load: loadavg()[0] }
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  const text = JSON.stringify(
    { ...machine, coldRounds: COLD_ROUNDS, cachedRounds: CACHED_ROUNDS, idleMemoryMb, pages: figures },
    null,
    2,
  )
  await writeFile(new URL('results/web.json', import.meta.url), `${text}\n`)
}

function goalLine(name: string, measured: number, goal: number, kind: 'most' | 'least' = 'most'): string {
  const isMet = kind === 'most' ? measured <= goal : measured >= goal
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${goal} ${isMet ? 'met' : 'short'}`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function runGit(args: readonly string[]): Promise<string> {
  return runProgram('git', args)
}

async function runProgram(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${program} ended with ${code}`))))
  })
}
