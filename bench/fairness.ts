/**
 * Thirty-one authors, and one more who owns fifty repositories with endless loops: compares the time from each author's
 * push to the PDF with the same push on a quiet host. The host has its default number of build slots.
 *
 * Two rounds, each quiet and under attack: in the first, authors push one after the other, in the second all at once.
 * Every push is a real git with its own working copy, and shares the processors with the host.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'

const AUTHORS = Number(process.env['BENCH_AUTHORS'] ?? 31)
const LOOPS = Number(process.env['BENCH_LOOPS'] ?? 50)
const GOAL = 2
const PATIENCE_MS = 5 * 60_000

interface Author {
  readonly login: string
  readonly token: string
  readonly folder: string
}

interface Round {
  readonly quietMs: readonly number[]
  readonly attackedMs: readonly number[]
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  // Data is in memory: on a disk, one push in thirty waits half a second for the journal of the file system, also on an
  // idle host.
  const workDir = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'texproof-fairness-'))
  const host = await startHost({ dataDir: join(workDir, 'data') })
  try {
    const logins = Array.from({ length: AUTHORS }, (_, n) => `author-${String(n + 1).padStart(2, '0')}`)
    const authors: Author[] = []
    for (const login of logins) authors.push(await addAuthor(host, workDir, login))
    const bob = await addAuthor(host, workDir, 'bob')
    // Excludes one-time costs; every later push is an edit.
    await pushInTurn(host, authors, 0)
    const quietInTurn = await pushInTurn(host, authors, 1)
    const quietAtOnce = await pushAtOnce(host, authors, 2)
    await attackWith(host, bob, workDir)
    const attackedInTurn = await pushInTurn(host, authors, 3)
    const attackedAtOnce = await pushAtOnce(host, authors, 4)
    await report({
      inTurn: { quietMs: quietInTurn, attackedMs: attackedInTurn },
      atOnce: { quietMs: quietAtOnce, attackedMs: attackedAtOnce },
    })
  } finally {
    await host.stop()
    await rm(workDir, { recursive: true })
  }
}

async function addAuthor(host: RunningHost, workDir: string, login: string): Promise<Author> {
  const token = await host.makeToken(login)
  const author = { login, token, folder: join(workDir, login) }
  await createRepository(host, author, 'paper')
  await makeCheckout(host, author, { folder: author.folder, name: 'paper' })
  return author
}

async function pushInTurn(host: RunningHost, authors: readonly Author[], version: number): Promise<readonly number[]> {
  const times: number[] = []
  for (const author of authors) times.push(await pushPaper(host, author, version))
  return times
}

function pushAtOnce(host: RunningHost, authors: readonly Author[], version: number): Promise<readonly number[]> {
  return Promise.all(authors.map((author) => pushPaper(host, author, version)))
}

/** Pushes a paper; returns the milliseconds from the start of `git push` to the last byte of the PDF. */
async function pushPaper(host: RunningHost, { login, token, folder }: Author, version: number): Promise<number> {
  const commitId = await commit(folder, paperOf(login, version))
  const startedAt = performance.now()
  const push = git(folder, 'push', '--quiet', 'origin', 'main')
  const url = `http://127.0.0.1:${host.port}/${login}/paper/pdf/main.pdf`
  for (;;) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status === 200 && answer.headers.get('x-texproof-commit') === commitId) break
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`no PDF of ${login}: ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const tookMs = performance.now() - startedAt
  await push
  return tookMs
}

function paperOf(login: string, version: number): string {
  const sections = Array.from({ length: 8 }, (_, n) => `\\section{Part ${n}}\\label{p${n}}\n${'Words. '.repeat(400)}\n`)
  return `\\documentclass{article}\n\\begin{document}\nBy ${login}, version ${version}, see~\\ref{p3}.\n${sections.join('')}\\end{document}\n`
}

/** Resolves when every loop is queued: two run, the others wait. */
async function attackWith(host: RunningHost, bob: Author, workDir: string): Promise<void> {
  const names = Array.from({ length: LOOPS }, (_, n) => `loop-${n}`)
  await Promise.all(
    names.map(async (name) => {
      const folder = join(workDir, name)
      await createRepository(host, bob, name)
      await makeCheckout(host, bob, { folder, name })
      await commit(
        folder,
        `\\documentclass{article}\n\\begin{document}\n% ${name}\n\\loop\\iftrue\\repeat\n\\end{document}\n`,
      )
      await git(folder, 'push', '--quiet', 'origin', 'main')
    }),
  )
}

async function createRepository(host: RunningHost, { token }: Author, name: string): Promise<void> {
  const answer = await fetch(`${host.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status}`)
}

async function makeCheckout(
  host: RunningHost,
  { login, token }: Author,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<void> {
  await mkdir(folder)
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  await git(folder, 'remote', 'add', 'origin', `http://git:${token}@127.0.0.1:${host.port}/${login}/${name}.git`)
}

async function commit(folder: string, source: string): Promise<string> {
  await writeFile(join(folder, 'main.tex'), source)
  await git(folder, 'add', '--all')
  await git(folder, 'commit', '--quiet', '--message', 'Write')
  return (await git(folder, 'rev-parse', 'HEAD')).trim()
}

async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const person = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org']
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  const child = spawn('git', [...person, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}:\n${stderr}`)
  return stdout
}

async function report({ inTurn, atOnce }: { readonly inTurn: Round; readonly atOnce: Round }): Promise<void> {
  const results = {
    processor: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    load: loadavg()[0] ?? 0,
    authors: AUTHORS,
    loops: LOOPS,
    inTurnQuietMs: median(inTurn.quietMs),
    inTurnAttackedMs: median(inTurn.attackedMs),
    inTurnWorstAttackedMs: Math.max(...inTurn.attackedMs),
    // Each push is compared with the push of the same author.
    inTurnMedianRatio: median(ratiosOf(inTurn)),
    inTurnWorstRatio: Math.max(...ratiosOf(inTurn)),
    atOnceQuietLastMs: Math.max(...atOnce.quietMs),
    atOnceAttackedLastMs: Math.max(...atOnce.attackedMs),
    atOnceRatio: Math.max(...atOnce.attackedMs) / Math.max(...atOnce.quietMs),
  }
  for (const [name, value] of Object.entries(results))
    console.log(`${name.padEnd(22)} ${typeof value === 'number' ? value.toFixed(2) : value}`)
  console.log(
    `ratios ${ratiosOf(inTurn)
      .map((ratio) => ratio.toFixed(1))
      .join(' ')}`,
  )
  console.log(goalLine('fairness-one-by-one', results.inTurnWorstRatio))
  console.log(goalLine('fairness-all-at-once', results.atOnceRatio))
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  await writeFile(new URL('results/fairness.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
}

function ratiosOf({ quietMs, attackedMs }: Round): readonly number[] {
  return attackedMs.map((ms, at) => ms / (quietMs[at] ?? Number.NaN))
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function goalLine(name: string, measured: number): string {
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${GOAL} ${measured <= GOAL ? 'met' : 'short'}`
}
