/**
 * Throughput of builds with 1 to 16 workers, where each compile takes a fixed time: shows what the queue, the transfer of
 * files and the recording of results cost. Server, database, git, HTTP and the loop of the workers are real; only TeX is
 * replaced by a pause, because the machine does not have the cores for sixteen. The loops share one process, which takes
 * one of the processors.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { runTexproof } from '../packages/texproof/test/support/programs/run-texproof.ts'
import { startHost, type RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { runGit } from './git/run-git.ts'
import { goalLine } from './goals/goal-line.ts'
import { storeResults } from './goals/store-results.ts'
import { COMPILE_MS } from './workers/run-loops.ts'

/** Builds of each worker, one after the other. The first ones begin and end at the same moment. */
const ROUNDS = 10
const COUNTS = [1, 2, 4, 8, 16]
const GOAL = 0.9
const LOOPS = join(import.meta.dirname, 'workers/run-loops.ts')

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-workers-'))
  const host = await startHost({ env: { TEXPROOF_PUSH_TO_CREATE: 'true', TEXPROOF_BUILD_LOCAL: 'false' } })
  const points = []
  try {
    const token = await host.makeToken('alice')
    const { stdout } = await runTexproof(['worker-key', 'create', '--data', host.dataDir])
    for (const workers of COUNTS) {
      const builds = ROUNDS * workers
      await pushBranches(host, { token, folder: join(folder, `papers-${workers}`), builds })
      const elapsedMs = await measure(host, { key: stdout.trim(), workers, builds })
      const ofLinear = (ROUNDS * COMPILE_MS) / elapsedMs
      console.log(`${builds} builds, ${((1_000 * builds) / elapsedMs).toFixed(2)} per second`)
      console.log(goalLine(`workers-${workers}-of-linear`, ofLinear, { wanted: GOAL, kind: 'least' }))
      points.push({ workers, builds, elapsedMs, ofLinear })
    }
  } finally {
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
  await storeResults('workers', { compileMs: COMPILE_MS, points })
}

/** Every branch has its own tree, so no result is reused. The builds wait, because there is no worker. */
async function pushBranches(
  host: RunningHost,
  { token, folder, builds }: { readonly token: string; readonly folder: string; readonly builds: number },
): Promise<void> {
  const git = (...args: readonly string[]): Promise<string> => runGit(['-C', folder, ...args])
  await runGit(['init', '--quiet', '--initial-branch=paper-1', folder])
  await writeFile(join(folder, 'figure.txt'), 'x'.repeat(100_000))
  for (let n = 1; n <= builds; n += 1) {
    if (n > 1) await git('checkout', '--quiet', '-b', `paper-${n}`)
    await writeFile(join(folder, 'main.tex'), `\\documentclass{article}\\begin{document}${n}\\end{document}\n`)
    await git('add', '--all')
    await git('commit', '--quiet', '--message', `Paper ${n}`)
  }
  const remote = `http://git:${token}@127.0.0.1:${host.port}/alice/papers-${builds}.git`
  await git('push', '--quiet', '--all', remote)
}

/** Milliseconds until the server has confirmed all builds. */
async function measure(
  host: RunningHost,
  { key, workers, builds }: { readonly key: string; readonly workers: number; readonly builds: number },
): Promise<number> {
  const args = [...process.execArgv, LOOPS, host.url, key, String(workers), String(builds)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}
