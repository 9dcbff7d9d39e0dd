/**
 * `npm run test:power-cuts -- FILE_SYSTEM CUTS`: repeatedly cuts the power of a server while authors change
 * repositories, tokens and settings. Needs root. Prints what was acknowledged, and exits with 1 if any of it is missing or
 * `doctor --deep` finds damage.
 */
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { addClusterUser } from '../support/cluster/add-cluster-user.ts'
import type { Answers } from '../support/cluster/author-session.ts'
import { openAuthor, type Author } from '../support/cluster/author.ts'
import { createFacts } from '../support/cluster/facts.ts'
import { findLost } from '../support/cluster/run-operations.ts'
import { startBalancer } from '../support/cluster/start-balancer.ts'
import { startHost, type RunningHost } from '../support/hosts/start-host.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { fileSystems, openLoopDisk, type LoopDisk } from '../support/recovery/loop-disk.ts'

const AUTHORS = 4
const PASSWORD = 'nine trees by the river'
const FILES = { 'notes.txt': 'No document.\n' }
/** Time between a start and the cut, from and to. The log of the database is copied 10 s after the first commit. */
const RUN_MS = [1_000, 14_000] as const

const { positionals } = parseArgs({ allowPositionals: true })
const fileSystem = fileSystems.find((name) => name === positionals[0])
if (fileSystem === undefined) throw new Error(`Name a file system: ${fileSystems.join(', ')}`)
const disk = await openLoopDisk(fileSystem)
try {
  process.exitCode = await main(disk, Number(positionals[1] ?? 40))
} finally {
  await disk.close()
}

async function main({ folder, copy, restore }: LoopDisk, cuts: number): Promise<number> {
  const dataDir = join(folder, 'data')
  const balancer = await startBalancer()
  const facts = createFacts()
  const answers: Answers = { acknowledged: 0, others: new Map(), cuts: [], wrong: [] }
  const problems: string[] = []
  let server = await start()

  async function start(): Promise<RunningHost> {
    const started = await startHost({ dataDir })
    balancer.ports.clear()
    balancer.ports.add(started.port)
    return started
  }

  const authors: Author[] = []
  for (let index = 0; index < AUTHORS; index += 1) {
    const login = `alice-${index}`
    const token = await addClusterUser({ dataDir, databaseUrl: null }, login, PASSWORD)
    authors.push(
      await openAuthor({ origin: balancer.url, login, password: PASSWORD, token, files: FILES, facts, answers }),
    )
  }
  try {
    for (let cut = 1; cut <= cuts; cut += 1) {
      const over = new AbortController()
      const work = authors.map(async (author) => {
        while (!over.signal.aborted) await author.step()
      })
      await delay(randomInt(...RUN_MS))
      server.send('SIGSTOP')
      over.abort()
      await copy()
      await server.stop('SIGKILL')
      await restore()
      server = await start()
      await Promise.all(work)
      const lost = await findLost({ balancer }, facts)
      const doctor = await runTexproof(['doctor', '--deep', '--data', dataDir])
      const broken = doctor.stdout.split('\n').filter((line) => line.startsWith('✗'))
      problems.push(...[...lost, ...broken].map((text) => `cut ${cut}: ${text}`))
      console.log(JSON.stringify({ cut, acknowledged: answers.acknowledged, facts: facts.list().length, lost, broken }))
    }
  } finally {
    for (const author of authors) author.close()
    // What runs keeps the file system busy.
    await server.stop('SIGKILL')
    balancer.close()
  }
  problems.push(...answers.wrong)
  console.log(JSON.stringify({ cuts, acknowledged: answers.acknowledged, problems }, null, 2))
  return problems.length === 0 ? 0 : 1
}
