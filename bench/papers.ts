/**
 * Compares the time from `git push` to the PDF at its address with `latexmk` in a checkout of the same paper.
 *
 * A push reports its build, so most of a build is within the push. The clock therefore starts with `git push`; the time
 * after its end is printed too. Both sides alternate within every round: a first push against a clean run, a push of
 * one edited line against a run with the aux files of the last one. Each round has its own repository, so that rounds
 * do not affect each other.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import { startHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import type { RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { tenPagePaper } from './papers/ten-page-paper.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const GOAL = 0.8

interface Round {
  readonly firstMs: PushTimes
  readonly cleanMs: number
  readonly editMs: PushTimes
  readonly incrementalMs: number
}

interface PushTimes {
  /** Time from the start of `git push` to the last byte of the PDF. */
  readonly wholeMs: number
  /** Time from the end of `git push` to the last byte of the PDF. */
  readonly afterMs: number
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-bench-'))
  const host = await startHost()
  try {
    const token = await host.makeToken('alice')
    // Excludes one-time costs of both sides: unpacking formats, indexing fonts, reading files from disk.
    await measureRound({ host, token, workDir, number: 0 })
    console.log(`medians of ${ROUNDS} rounds in ms, load ${loadavg()[0]?.toFixed(1)}`)
    const rounds: Round[] = []
    for (let number = 1; number <= ROUNDS; number += 1)
      rounds.push(await measureRound({ host, token, workDir, number }))
    await report(rounds)
  } finally {
    await host.stop()
    await rm(workDir, { recursive: true })
  }
}

interface RoundContext {
  readonly host: RunningHost
  readonly token: string
  readonly workDir: string
  readonly number: number
}

async function measureRound(context: RoundContext): Promise<Round> {
  const { host, token, workDir, number } = context
  const name = `paper-${number}`
  await createRepository(host, token, name)
  const checkout = join(workDir, name)
  const beside = join(workDir, `${name}-latexmk`)
  await writePaper(checkout, `Round ${number}.`)
  await writePaper(beside, `Round ${number}.`)
  await git(checkout, 'init', '--quiet', '--initial-branch=main')
  await git(checkout, 'remote', 'add', 'origin', `http://git:${token}@127.0.0.1:${host.port}/alice/${name}.git`)
  await commitAll(checkout)
  const firstMs = await push(context, checkout, name)
  const cleanMs = await latexmk(beside)
  await writePaper(checkout, `Round ${number}, corrected.`)
  await writePaper(beside, `Round ${number}, corrected.`)
  await commitAll(checkout)
  const editMs = await push(context, checkout, name)
  const incrementalMs = await latexmk(beside)
  return { firstMs, cleanMs, editMs, incrementalMs }
}

async function push({ host, token }: RoundContext, checkout: string, name: string): Promise<PushTimes> {
  const { stdout } = await runProgram('git', ['rev-parse', 'HEAD'], checkout)
  const startedAt = performance.now()
  await git(checkout, 'push', '--quiet', 'origin', 'main')
  const pushedAt = performance.now()
  const pdfUrl = `${host.url.replace('localhost', '127.0.0.1')}/alice/${name}/pdf/main.pdf`
  for (;;) {
    const answer = await fetch(pdfUrl, { headers: { authorization: `Bearer ${token}` } })
    const bytes = await answer.arrayBuffer()
    if (answer.status === 200 && answer.headers.get('x-texproof-commit') === stdout.trim() && bytes.byteLength > 10_000)
      break
    if (performance.now() - startedAt > 60_000) throw new Error(`no PDF of ${name}: ${answer.status}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const servedAt = performance.now()
  return { wholeMs: servedAt - startedAt, afterMs: servedAt - pushedAt }
}

async function latexmk(folder: string): Promise<number> {
  const startedAt = performance.now()
  await runProgram('latexmk', ['-pdf', '-silent', '-interaction=nonstopmode', 'main.tex'], folder)
  return performance.now() - startedAt
}

async function createRepository(host: RunningHost, token: string, name: string): Promise<void> {
  const answer = await fetch(`${host.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (answer.status !== 201) throw new Error(`create ${name}: ${answer.status}`)
}

async function writePaper(folder: string, remark: string): Promise<void> {
  for (const [path, text] of tenPagePaper(remark)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function commitAll(checkout: string): Promise<void> {
  await git(checkout, 'add', '--all')
  await git(checkout, 'commit', '--quiet', '--message', 'Write')
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  await runProgram('git', ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org', ...args], cwd)
}

async function runProgram(program: string, args: readonly string[], cwd: string): Promise<{ readonly stdout: string }> {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' }
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve({ stdout })
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stderr}`))
    })
  })
}

async function report(rounds: readonly Round[]): Promise<void> {
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const medians = {
    firstPushMs: of(({ firstMs }) => firstMs.wholeMs),
    firstPushAfterMs: of(({ firstMs }) => firstMs.afterMs),
    latexmkCleanMs: of(({ cleanMs }) => cleanMs),
    editPushMs: of(({ editMs }) => editMs.wholeMs),
    editPushAfterMs: of(({ editMs }) => editMs.afterMs),
    latexmkIncrementalMs: of(({ incrementalMs }) => incrementalMs),
  }
  for (const [name, value] of Object.entries(medians)) console.log(`${name.padEnd(22)} ${value.toFixed(0).padStart(6)}`)
  const first = medians.firstPushMs / medians.latexmkCleanMs
  const edit = medians.editPushMs / medians.latexmkIncrementalMs
  console.log(goalLine('papers-first-push', first))
  console.log(goalLine('papers-edit', edit))
  const machine = { processor: cpus()[0]?.model ?? '', cores: availableParallelism(), rounds: rounds.length }
  await mkdir(new URL('results/', import.meta.url), { recursive: true })
  const text = JSON.stringify({ ...machine, ...medians, first, edit }, null, 2)
  await writeFile(new URL('results/papers.json', import.meta.url), `${text}\n`)
}

function goalLine(name: string, measured: number): string {
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${GOAL} ${measured <= GOAL ? 'met' : 'short'}`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
