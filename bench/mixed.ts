/**
 * Latency of the API while two hundred clients do what users do: they read pages, ask the API, clone, and push papers that
 * are built. The clients share the processors with the host; another thread measures.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { startHost, type RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { askWhile } from './crowd/ask-while.ts'
import { percentile } from './crowd/percentile.ts'
import { runGit } from './git/run-git.ts'
import { goalLine } from './goals/goal-line.ts'
import { storeResults } from './goals/store-results.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 120)
const IDLE_SECONDS = 20
const GOAL = 20
const PAPERS = 20
/** How many clients of each kind, and how long they pause between two requests. */
const clients = {
  pages: { count: 120, pauseMs: 1_000 },
  api: { count: 40, pauseMs: 500 },
  clones: { count: 20, pauseMs: 10_000 },
  pushes: { count: 20, pauseMs: 20_000 },
} as const

type Kind = keyof typeof clients

interface Setting {
  readonly host: RunningHost
  readonly token: string
  readonly folder: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 200 })
const nameOf = (index: number): string => `paper-${index % PAPERS}`

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-mixed-'))
  const host = await startHost({ env: { TEXPROOF_PUSH_TO_CREATE: 'true' } })
  try {
    const setting = { host, token: await host.makeToken('alice'), folder }
    for (let index = 0; index < PAPERS; index += 1) await makePaper(setting, nameOf(index))
    // The builds of the papers end before the idle host is measured.
    await sleep(IDLE_SECONDS * 1000)
    const asked = { ...setting, paths: Array.from({ length: PAPERS }, (_, n) => `/api/v3/repos/alice/${nameOf(n)}`) }
    const idle = await askWhile(asked, () => sleep(IDLE_SECONDS * 1000))
    const busy = await askWhile(asked, () => runClients(setting))
    await report({ idle: idle.times, busy: busy.times, outcomes: busy.result })
  } finally {
    agent.destroy()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function makePaper({ host, token, folder }: Setting, name: string): Promise<void> {
  const paper = join(folder, name)
  await runGit(['init', '--quiet', '--initial-branch=main', paper])
  await writePaper(paper, 'first')
  await runGit(['-C', paper, 'push', '--quiet', `http://git:${token}@127.0.0.1:${host.port}/alice/${name}.git`, 'main'])
}

async function writePaper(folder: string, words: string): Promise<void> {
  const text = `\\documentclass{article}\n\\begin{document}\nThe ${words} version.\n\\end{document}\n`
  await writeFile(join(folder, 'main.tex'), text)
  await runGit(['-C', folder, 'add', '--all'])
  await runGit(['-C', folder, 'commit', '--quiet', '--message', 'Write'])
}

/** One operation of a client, by kind. */
const actions: Readonly<Record<Kind, (setting: Setting, index: number, round: number) => Promise<unknown>>> = {
  pages(setting, index, round) {
    const parts = ['', '/blob/main/main.tex', '/commits/main', '/pdf/main', '/branches']
    return get(setting, `/alice/${nameOf(index)}${parts[round % parts.length] ?? ''}`)
  },
  api(setting, index, round) {
    const parts = ['', '/branches', '/tags', '/branches/main']
    return get(setting, `/api/v3/repos/alice/${nameOf(index)}${parts[round % parts.length] ?? ''}`)
  },
  async clones({ host, token, folder }, index, round) {
    const target = join(folder, `clone-${index}-${round}`)
    await runGit(['clone', '--quiet', `http://git:${token}@127.0.0.1:${host.port}/alice/${nameOf(index)}.git`, target])
    await rm(target, { recursive: true, force: true })
  },
  async pushes({ host, token, folder }, index, round) {
    const paper = join(folder, nameOf(index))
    await writePaper(paper, `${round}th`)
    const url = `http://git:${token}@127.0.0.1:${host.port}/alice/${nameOf(index)}.git`
    await runGit(['-C', paper, 'push', '--quiet', url, 'main'])
  },
}

interface Outcomes {
  readonly done: number
  readonly failed: number
}

/** Clients of a kind begin spread over their pause. */
async function runClients(setting: Setting): Promise<Readonly<Record<string, Outcomes>>> {
  const endsAt = performance.now() + SECONDS * 1000
  const kinds = Object.keys(clients) as Kind[]
  const outcomes = Object.fromEntries(kinds.map((kind) => [kind, { done: 0, failed: 0 }]))
  const runs = kinds.flatMap((kind) => {
    const { count, pauseMs } = clients[kind]
    return Array.from({ length: count }, async (_, index) => {
      await sleep((pauseMs * index) / count)
      for (let round = 0; performance.now() < endsAt; round += 1) {
        const problem = await actions[kind](setting, index, round).then(() => null, String)
        const counted = outcomes[kind]
        if (counted !== undefined) counted[problem === null ? 'done' : 'failed'] += 1
        if (problem !== null && counted?.failed === 1) console.log(`first failure of ${kind}: ${problem}`)
        await sleep(pauseMs)
      }
    })
  })
  await Promise.all(runs)
  return outcomes
}

function get({ host, token }: Setting, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request({ host: '127.0.0.1', port: host.port, path, agent, headers }, (response) => {
      const { statusCode = 0 } = response
      response.resume().once('end', () => (statusCode < 400 ? resolve() : reject(new Error(`${path}: ${statusCode}`))))
    })
    sent.once('error', reject).end()
  })
}

async function report({
  idle,
  busy,
  outcomes,
}: {
  readonly idle: readonly number[]
  readonly busy: readonly number[]
  readonly outcomes: Readonly<Record<string, Outcomes>>
}): Promise<void> {
  const [idleP99Ms, busyP50Ms, busyP99Ms] = [percentile(idle, 0.99), percentile(busy, 0.5), percentile(busy, 0.99)]
  for (const [kind, { done, failed }] of Object.entries(outcomes))
    console.log(`${kind.padEnd(8)} ${done} done, ${failed} failed`)
  console.log(
    `API: idle p99 ${idleP99Ms.toFixed(1)} ms; busy median ${busyP50Ms.toFixed(1)}, p99 ${busyP99Ms.toFixed(1)}`,
  )
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  const failedCount = Object.values(outcomes).reduce((sum, { failed }) => sum + failed, 0)
  console.log(goalLine('mixed-failed', failedCount, { wanted: 0 }))
  console.log(goalLine('mixed-api-p99-of-idle', busyP99Ms / idleP99Ms, { wanted: GOAL }))
  await storeResults('mixed', { seconds: SECONDS, clients, outcomes, idleP99Ms, busyP50Ms, busyP99Ms })
}
