/**
 * `npm run test:cluster -- OPERATIONS`: three servers, two workers, PostgreSQL and an S3 server on this machine. Authors push,
 * edit and change settings, tokens, tags, links and repositories while servers, workers, connections, the database and the
 * bucket fail by turns. Prints what was acknowledged, and exits with 1 if any of it is missing or late.
 *
 * `npm run test:cluster -- OPERATIONS restart` restarts the servers one after the other instead; every request must succeed or
 * get a documented 503.
 */
import { parseArgs } from 'node:util'

import type { Fault } from '../support/cluster/cause-faults.ts'
import { runOperations, type OperationsRun } from '../support/cluster/run-operations.ts'
import { startCluster } from '../support/cluster/start-cluster.ts'
import { findPostgres } from '../support/database/postgres-cluster.ts'

const AUTHORS = 32
const PAPERS = 2
const FAULT_EVERY_MS = 4_000
const FAULTS = [
  'server',
  'connections',
  'pause',
  'worker',
  'server',
  'bucket',
  'pause-worker',
  'database',
] as const satisfies readonly Fault[]

const { positionals } = parseArgs({ allowPositionals: true })
process.exitCode = await main(Number(positionals[0] ?? 500), positionals[1] === 'restart')

async function main(operations: number, isRollingRestart: boolean): Promise<number> {
  const programs = findPostgres()
  if (programs === null) {
    console.error('PostgreSQL is not installed.')
    return 2
  }
  const cluster = await startCluster(programs, { size: 3 })
  try {
    for (let count = 0; count < 2; count += 1) cluster.addWorker()
    const startedAt = performance.now()
    const run = await runOperations(cluster, {
      authors: AUTHORS,
      papers: PAPERS,
      operations,
      faults: isRollingRestart ? ['restart'] : FAULTS,
      maxFaults: Number.POSITIVE_INFINITY,
      faultEveryMs: FAULT_EVERY_MS,
    })
    // Killed servers cut hundreds.
    const { cuts, ...counted } = run
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(JSON.stringify({ seconds, ...counted, ...(isRollingRestart && { cuts }) }, null, 2))
    return isGood(run) && !(isRollingRestart && cuts.length > 0) ? 0 : 1
  } finally {
    await cluster.close()
  }
}

function isGood({ crashes, doctor, leftOver, lost, unrecorded, wrongBuilds, wrong, late }: OperationsRun): boolean {
  return (
    [crashes, leftOver, lost, unrecorded, wrongBuilds, wrong, late].every((list) => list.length === 0) &&
    doctor.exitCode === 0
  )
}
