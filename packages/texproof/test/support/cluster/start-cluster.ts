/** Several real servers of one PostgreSQL database and one data directory, behind a load balancer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { createPostgresDatabase } from '../database/test-database.ts'
import { startPostgres, type PostgresCluster } from '../database/postgres-cluster.ts'
import { startHost, type RunningHost } from '../hosts/start-host.ts'
import { startWorker, type RunningWorker } from '../hosts/start-worker.ts'
import type { ProgramOutcome } from '../programs/run-program.ts'
import { runTexproof } from '../programs/run-texproof.ts'
import { startBalancer, type Balancer } from './start-balancer.ts'

export interface Cluster {
  readonly balancer: Balancer
  readonly database: Client
  readonly servers: RunningHost[]
  readonly token: string
  readonly postgres: PostgresCluster
  /** Runs a `texproof` command on it. */
  run(...args: readonly string[]): Promise<ProgramOutcome>
  /** Kills the oldest server with all of its processes, and starts another one in its place. */
  replaceServer(): Promise<void>
  /** Adds a worker, which gets its builds through the load balancer. */
  addWorker(): void
  /** Kills the oldest worker, and starts another one in its place. */
  replaceWorker(): Promise<void>
  close(): Promise<void>
}

/** Starts it; `programs` is the folder of PostgreSQL. All builds run on workers. */
export async function startCluster(programs: string, { size }: { readonly size: number }): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'texproof-cluster-'))
  const postgres = await startPostgres(programs)
  const url = await createPostgresDatabase(postgres.url)
  const env = { TEXPROOF_DATABASE_URL: url, TEXPROOF_BUILD_LOCAL: 'false', TEXPROOF_BUILD_LEASE: '10s' }
  const balancer = await startBalancer()
  const database = new Client(url)
  await database.connect()
  const servers: RunningHost[] = []
  const workers: RunningWorker[] = []
  const run = (...args: readonly string[]): Promise<ProgramOutcome> =>
    runTexproof([...args, '--data', dataDir], { env })

  async function start(): Promise<void> {
    const server = await startHost({ env, dataDir })
    servers.push(server)
    balancer.ports.add(server.port)
  }

  function addWorker(): void {
    workers.push(startWorker({ server: balancer.url, key }))
  }

  await Promise.all(Array.from({ length: size }, start))
  await run('user', 'add', 'alice')
  const token = (await run('token', 'create', '--user', 'alice')).stdout.trim()
  const key = (await run('worker-key', 'create', '--name', 'rack')).stdout.trim()
  return {
    balancer,
    database,
    servers,
    token,
    postgres,
    run,
    async replaceServer() {
      const server = servers.shift()
      balancer.ports.delete(server?.port ?? 0)
      await server?.stop('SIGKILL')
      await start()
    },
    addWorker,
    async replaceWorker() {
      await workers.shift()?.stop('SIGKILL')
      addWorker()
    },
    async close() {
      for (const worker of workers) await worker.stop('SIGKILL')
      await Promise.all(servers.map((server) => server.stop()))
      balancer.close()
      await database.end()
      postgres.stop()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
