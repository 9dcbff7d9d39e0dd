/**
 * `npm run test:cluster -- [PUSHES]`: three servers, two workers and PostgreSQL on this machine. Clients push and create
 * repositories while a server, a worker or all connections to the database are killed every few seconds. Prints what
 * was acknowledged, and exits with 1 if any of it is missing.
 */
import { runCluster } from '../support/cluster/run-cluster.ts'
import { startCluster } from '../support/cluster/start-cluster.ts'
import { findPostgres } from '../support/database/postgres-cluster.ts'

const CLIENTS = 12
const PAPERS = 4
const FAULT_EVERY_MS = 5_000

process.exitCode = await main(Number(process.argv[2] ?? 500))

async function main(pushes: number): Promise<number> {
  const programs = findPostgres()
  if (programs === null) {
    console.error('PostgreSQL is not installed.')
    return 2
  }
  const cluster = await startCluster(programs, { size: 3 })
  try {
    for (let count = 0; count < 2; count += 1) cluster.addWorker()
    const startedAt = performance.now()
    const run = await runCluster(cluster, {
      clients: CLIENTS,
      papers: PAPERS,
      pushes: Math.ceil(pushes / CLIENTS),
      faults: ['server', 'connections', 'worker'],
      maxFaults: Number.POSITIVE_INFINITY,
      faultEveryMs: FAULT_EVERY_MS,
    })
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(JSON.stringify({ seconds, ...run }, null, 2))
    const { doctor, leftOver, lost, lostRepositories, unrecorded, wrongBuilds } = run
    const isGood = [leftOver, lost, lostRepositories, unrecorded, wrongBuilds].every((list) => list.length === 0)
    return isGood && doctor.exitCode === 0 ? 0 : 1
  } finally {
    await cluster.close()
  }
}
