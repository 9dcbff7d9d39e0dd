/**
 * git over HTTP: compares client latency with nginx, fcgiwrap and `git http-backend` on copies of the same
 * repositories, alternating. Both sides serve packed repositories with a commit-graph, and the client writes to memory.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import { openGitStore } from '../packages/texproof/src/git/open-git-store.ts'
import { openStore } from '../packages/texproof/src/store/store.ts'
import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { fillRepository, type Contents } from './git/make-repositories.ts'
import { runGit } from './git/run-git.ts'
import { startHttpBackend } from './git/start-http-backend.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 11)
/** Rounds of exchanges that take seconds. */
const LONG_ROUNDS = Math.min(ROUNDS, 5)
const PUSHED_BRANCHES = 5_000

const repositories: Readonly<Record<string, Contents>> = {
  small: { commits: 30, fileBytes: 2_000, branches: 3 },
  large: { commits: 500, fileBytes: 100_000, branches: 3 },
  refs: { commits: 30, fileBytes: 2_000, branches: 100_000 },
}

interface Case {
  readonly name: string
  readonly repository: string
  /** Maximum ratio to the time of the other side. */
  readonly goal: number
  readonly rounds?: number
  /** One exchange of a client; `work` contains a copy of an earlier clone. */
  readonly exchange: (url: string, work: string) => Promise<readonly string[]>
  /** Prepares the clone: removes commits, or adds some. */
  readonly prepare?: (clone: string) => Promise<void>
}

const fetchAll = ['+refs/heads/*:refs/heads/*']
const listRefs = async (url: string): Promise<readonly string[]> => ['ls-remote', url]
const cloneBare = async (url: string, work: string): Promise<readonly string[]> => [
  'clone',
  '--quiet',
  '--bare',
  url,
  `${work}-new`,
]

const cases: readonly Case[] = [
  { name: 'ls-remote', repository: 'large', goal: 1, exchange: listRefs },
  { name: 'ls-remote-100k-refs', repository: 'refs', goal: 1, exchange: listRefs },
  { name: 'clone-small', repository: 'small', goal: 1.1, exchange: cloneBare },
  { name: 'clone-50mb', repository: 'large', goal: 1.1, rounds: LONG_ROUNDS, exchange: cloneBare },
  { name: 'clone-100k-refs', repository: 'refs', goal: 1.1, rounds: LONG_ROUNDS, exchange: cloneBare },
  {
    name: 'fetch',
    repository: 'large',
    goal: 1.1,
    prepare: async (clone) => void (await runGit(['-C', clone, 'update-ref', 'refs/heads/main', 'main~5'])),
    exchange: async (url, work) => ['-C', work, 'fetch', '--quiet', url, ...fetchAll],
  },
  {
    name: 'fetch-empty',
    repository: 'large',
    goal: 1.1,
    exchange: async (url, work) => ['-C', work, 'fetch', '--quiet', url, ...fetchAll],
  },
  {
    name: 'fetch-empty-100k-refs',
    repository: 'refs',
    goal: 1.1,
    rounds: LONG_ROUNDS,
    exchange: async (url, work) => ['-C', work, 'fetch', '--quiet', url, ...fetchAll],
  },
  { name: 'push', repository: 'large', goal: 1.1, exchange: pushCommit },
  { name: 'push-100k-refs', repository: 'refs', goal: 1.1, rounds: LONG_ROUNDS, exchange: pushCommit },
  {
    name: `push-${PUSHED_BRANCHES}-branches`,
    repository: 'small',
    goal: 1.1,
    rounds: 1,
    exchange: async (url, work) => {
      await addRefs(work, 'pushed')
      return ['-C', work, 'push', '--quiet', url, 'refs/heads/pushed/*:refs/heads/pushed/*']
    },
  },
]

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-bench-'))
  // Clones are in memory, so that the disk speed of the client does not matter.
  const clientDir = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'texproof-bench-'))
  try {
    const dataDir = join(workDir, 'data')
    const backendRoot = join(workDir, 'backend')
    console.log('making the repositories')
    const token = await makeRepositories(dataDir, backendRoot)
    const host = await startHost({ dataDir })
    const backend = await startHttpBackend(backendRoot, join(workDir, 'nginx'))
    try {
      const ours = `http://git:${token}@127.0.0.1:${host.port}/alice`
      console.log(`medians (least to most) in ms, load ${loadavg()[0]?.toFixed(1)}`)
      const rows = []
      for (const one of chosenCases()) rows.push(await measure(one, { ours, theirs: backend.origin, clientDir }))
      await store(rows)
    } finally {
      await Promise.all([host.stop(), backend.stop()])
    }
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
    await rm(clientDir, { recursive: true, force: true })
  }
}

/** `BENCH_CASES=push` selects the cases whose names contain "push". */
function chosenCases(): readonly Case[] {
  return cases.filter(({ name }) => name.includes(process.env['BENCH_CASES'] ?? ''))
}

async function makeRepositories(dataDir: string, backendRoot: string): Promise<string> {
  const host = await startHost({ dataDir })
  const token = await host.makeToken('alice')
  for (const name of Object.keys(repositories)) {
    const answer = await fetch(`${host.url}/api/v3/user/repos`, {
      method: 'POST',
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status}`)
  }
  await host.stop()
  const rows = await openStore({ dataDir })
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  for (const [name, contents] of Object.entries(repositories)) {
    const gitDir = git.gitDir((await rows.repositories.findByName('alice', name))?.id ?? 0)
    await fillRepository(gitDir, contents)
    const copy = join(backendRoot, `${name}.git`)
    await cp(gitDir, copy, { recursive: true })
    await runGit(['--git-dir', copy, 'config', 'http.receivepack', 'true'])
  }
  await git.close()
  await rows.close()
  return token
}

interface Servers {
  readonly ours: string
  readonly theirs: string
  readonly clientDir: string
}

async function measure(one: Case, { ours, theirs, clientDir }: Servers) {
  const times = { ours: [] as number[], theirs: [] as number[] }
  const clone = join(clientDir, 'clone')
  await runGit(['clone', '--quiet', '--bare', `${theirs}/${one.repository}.git`, clone])
  await one.prepare?.(clone)
  const rounds = one.rounds ?? ROUNDS
  // The first round of each is not measured.
  for (let round = -1; round < rounds; round += 1) {
    for (const [list, origin] of [
      [times.ours, ours],
      [times.theirs, theirs],
    ] as const) {
      const work = join(clientDir, 'work')
      await cp(clone, work, { recursive: true })
      const args = await one.exchange(`${origin}/${one.repository}.git`, work)
      const startedAt = performance.now()
      await runGit(args)
      if (round >= 0 || rounds === 1) list.push(performance.now() - startedAt)
      await Promise.all([work, `${work}-new`].map((path) => rm(path, { recursive: true, force: true })))
    }
    if (rounds === 1) break
  }
  await rm(clone, { recursive: true })
  // Ratios are computed within a round, in which both servers have the same conditions.
  const ratio = median(times.ours.map((ms, index) => ms / (times.theirs[index] ?? Number.NaN)))
  console.log(`${one.name.padEnd(22)} ours ${spread(times.ours)}  http-backend ${spread(times.theirs)}`)
  console.log(
    `goal git-${one.name} measured ${ratio.toFixed(2)} wanted ${one.goal.toFixed(2)} ${ratio <= one.goal ? 'met' : 'short'}`,
  )
  return { name: one.name, ratio, oursMs: times.ours, httpBackendMs: times.theirs }
}

let pushed = 0

async function pushCommit(url: string, work: string): Promise<readonly string[]> {
  pushed += 1
  const tree = await runGit(['-C', work, 'rev-parse', 'main^{tree}'])
  const commitId = await runGit(['-C', work, 'commit-tree', '-p', 'main', '-m', `Change ${pushed}`, tree])
  return ['-C', work, 'push', '--quiet', url, `+${commitId}:refs/heads/main`]
}

async function addRefs(work: string, folder: string): Promise<void> {
  const commitId = await runGit(['-C', work, 'rev-parse', 'main'])
  const names = Array.from({ length: PUSHED_BRANCHES }, (_, index) => `refs/heads/${folder}/${index}`).sort()
  const lines = ['refs/heads/main', ...names].map((name) => `${commitId} ${name}\n`)
  await writeFile(join(work, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function spread(values: readonly number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(Math.round)
  return `${middle} (${least} to ${most})`
}

async function store(rows: unknown): Promise<void> {
  if (process.env['BENCH_CASES'] !== undefined) return
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg(), node: process.version }
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  const git = await runGit(['version'])
  const text = JSON.stringify({ date: new Date().toISOString(), machine, git, rows }, null, 2)
  await writeFile(new URL('results/git.json', import.meta.url), `${text}\n`)
}
