/**
 * Two hundred authors push at once to a host that builds two papers at a time. Measures the builds, their order, the
 * latency of the API, and memory.
 *
 * Every push is a real git with its own working copy. Another thread sends API requests at a steady pace before and
 * during the pushes. The clients share the processors with the host.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

import { askWhile } from './crowd/ask-while.ts'
import { percentile } from './crowd/percentile.ts'
import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'

const AUTHORS = Number(process.env['BENCH_AUTHORS'] ?? 200)
const BUILD_SLOTS = 2
const P99_GOAL_MS = 50
const MEMORY_GOAL_MIB = 600
const PATIENCE_MS = 10 * 60_000

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-crowd-'))
  const host = await startHost({ env: { TEXPROOF_BUILD_CONCURRENCY: String(BUILD_SLOTS) } })
  try {
    const token = await host.makeToken('alice')
    const names = Array.from({ length: AUTHORS }, (_, n) => `paper-${String(n).padStart(3, '0')}`)
    for (const name of names) await createRepository(host, token, name)
    for (const name of names) await makeCheckout(host, token, join(workDir, name), name)
    const paths = names.map((name) => `/api/v3/repos/alice/${name}`)
    const quiet = await askWhile({ host, token, paths }, () => new Promise((resolve) => setTimeout(resolve, 3000)))
    const startedAt = performance.now()
    const busy = await askWhile({ host, token, paths }, async () => {
      const pushes = names.map((name) => push(join(workDir, name)))
      return { served: await whenAllServed(host, token, names), pushesMs: await Promise.all(pushes) }
    })
    const { served, pushesMs } = busy.result
    await report({
      quiet: quiet.times,
      busy: busy.times,
      served: served.map((at) => at - startedAt),
      pushesMs,
      peakMiB: await readPeakMemory(host),
    })
  } finally {
    await host.stop()
    await rm(workDir, { recursive: true })
  }
}

async function createRepository(host: RunningHost, token: string, name: string): Promise<void> {
  const answer = await fetch(`${host.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status}`)
}

async function makeCheckout(host: RunningHost, token: string, folder: string, name: string): Promise<void> {
  await mkdir(folder)
  const text = `\\documentclass{article}\n\\begin{document}\n\\section{A}\\label{a}\nPaper ${name}, see~\\ref{a}.\n\\end{document}\n`
  await writeFile(join(folder, 'main.tex'), text)
  const remote = `http://git:${token}@127.0.0.1:${host.port}/alice/${name}.git`
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  await git(folder, 'remote', 'add', 'origin', remote)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', 'Write')
}

async function push(folder: string): Promise<number> {
  const startedAt = performance.now()
  await git(folder, 'push', '--quiet', 'origin', 'main')
  return performance.now() - startedAt
}

/** Resolves to the time at which each paper was first built. */
async function whenAllServed(host: RunningHost, token: string, names: readonly string[]): Promise<readonly number[]> {
  const seen = new Map<string, number>()
  const impatientAt = performance.now() + PATIENCE_MS
  while (seen.size < names.length && performance.now() < impatientAt) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    for (const name of names) {
      if (seen.has(name)) continue
      const answer = await ask(host, token, `/alice/${name}/pdf/main.pdf`, 'HEAD')
      if (answer.status === 200) seen.set(name, performance.now())
      // Papers are built approximately in order, so only the first few missing ones are polled.
      else if (names.indexOf(name) > seen.size + 20) break
    }
  }
  return names.map((name) => seen.get(name) ?? Number.NaN)
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

function ask(host: RunningHost, token: string, path: string, method = 'GET'): Promise<{ readonly status: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request({ host: '127.0.0.1', port: host.port, path, method, agent, headers }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0 }))
    })
    sent.once('error', reject).end()
  })
}

/** Peak resident memory of the host. */
async function readPeakMemory(host: RunningHost): Promise<number> {
  const status = await readFile(`/proc/${host.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const person = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org']
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  const child = spawn('git', [...person, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}:\n${stderr}`)
}

interface Found {
  readonly quiet: readonly number[]
  readonly busy: readonly number[]
  readonly served: readonly number[]
  readonly pushesMs: readonly number[]
  readonly peakMiB: number
}

async function report({ quiet, busy, served, pushesMs, peakMiB }: Found): Promise<void> {
  const lost = served.filter(Number.isNaN).length
  const results = {
    processor: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    authors: AUTHORS,
    buildSlots: BUILD_SLOTS,
    lost,
    lastServedMs: Math.max(...served),
    longestPushMs: Math.max(...pushesMs),
    apiQuietP99Ms: percentile(quiet, 0.99),
    apiBusyP50Ms: percentile(busy, 0.5),
    apiBusyP99Ms: percentile(busy, 0.99),
    peakMiB,
  }
  for (const [name, value] of Object.entries(results))
    console.log(`${name.padEnd(16)} ${typeof value === 'number' ? value.toFixed(1) : value}`)
  console.log(goalLine('crowd-lost', lost, 0))
  console.log(goalLine('crowd-api-p99-ms', results.apiBusyP99Ms, P99_GOAL_MS))
  console.log(goalLine('crowd-memory-mib', peakMiB, MEMORY_GOAL_MIB))
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  await writeFile(new URL('results/crowd.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
}

function goalLine(name: string, measured: number, wanted: number): string {
  return `goal ${name} measured ${measured.toFixed(1)} wanted ${wanted} ${measured <= wanted ? 'met' : 'short'}`
}
