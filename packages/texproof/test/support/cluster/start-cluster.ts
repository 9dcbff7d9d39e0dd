/** Several real servers of one PostgreSQL database, one data directory and one bucket, behind a load balancer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { Client } from 'pg'

import { whenAbsent } from '../../../src/base/absent.ts'
import { createPostgresDatabase } from '../database/test-database.ts'
import { startPostgres, type PostgresCluster } from '../database/postgres-cluster.ts'
import { startS3Server, type S3Server } from '../hosts/s3-server.ts'
import { startHost, type RunningHost } from '../hosts/start-host.ts'
import { startWorker, type RunningWorker } from '../hosts/start-worker.ts'
import type { ProgramOutcome } from '../programs/run-program.ts'
import { runTexproof } from '../programs/run-texproof.ts'
import { startBalancer, type Balancer } from './start-balancer.ts'

export interface Cluster {
  readonly balancer: Balancer
  readonly dataDir: string
  readonly databaseUrl: string
  /** Runs a statement on a connection of its own. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** The column `text` of all rows. */
  list(sql: string, values?: readonly unknown[]): Promise<readonly string[]>
  readonly servers: RunningHost[]
  /** The last output of servers that have ended by themselves. */
  readonly crashes: readonly string[]
  /** Lines that contain a text, in the output of all servers so far. */
  findInOutput(text: string): readonly string[]
  readonly token: string
  readonly postgres: PostgresCluster
  readonly s3: S3Server
  /** Uploads to the bucket that wait. */
  listUploads(): Promise<readonly string[]>
  /** Runs a `texproof` command on it. */
  run(...args: readonly string[]): Promise<ProgramOutcome>
  /** Kills the oldest server with all of its processes, or stops it as systemd does; starts another one in its place. */
  replaceServer(signal: NodeJS.Signals): Promise<void>
  /** Pauses the oldest server with all of its processes. */
  pauseServer(forMs: number): Promise<void>
  /** Adds a worker, which gets its builds through the load balancer. */
  addWorker(): void
  /** Kills the oldest worker, and starts another one in its place. */
  replaceWorker(): Promise<void>
  /** Pauses the oldest worker. */
  pauseWorker(forMs: number): Promise<void>
  close(): Promise<void>
}

const LAST_OUTPUT = 3_000

/** Starts it; `programs` is the folder of PostgreSQL. All builds run on workers. */
export async function startCluster(programs: string, { size }: { readonly size: number }): Promise<Cluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'texproof-cluster-'))
  const postgres = await startPostgres(programs)
  const url = await createPostgresDatabase(postgres.url)
  const s3 = await startS3Server()
  const balancer = await startBalancer()
  const env = {
    TEXPROOF_DATABASE_URL: url,
    TEXPROOF_BLOB_URL: s3.url,
    TEXPROOF_BUILD_LOCAL: 'false',
    TEXPROOF_BUILD_LEASE: '10s',
  }
  const servers: RunningHost[] = []
  const started: RunningHost[] = []
  const crashes: string[] = []
  const workers: RunningWorker[] = []
  const run = (...args: readonly string[]): Promise<ProgramOutcome> =>
    // `doctor --deep` reads every object of a thousand repositories.
    runTexproof([...args, '--data', dataDir], { env, timeoutS: 1_200 })

  async function query(sql: string, values: readonly unknown[] = []) {
    const client = new Client(url)
    await client.connect()
    try {
      return (await client.query<Readonly<Record<string, unknown>>>(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }

  async function start(): Promise<void> {
    const server = await startHost({ env, dataDir })
    servers.push(server)
    started.push(server)
    balancer.ports.add(server.port)
    void server.ended.then(() => {
      if (servers.includes(server)) crashes.push(server.output().slice(-LAST_OUTPUT))
    })
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
    dataDir,
    databaseUrl: url,
    query,
    list: async (sql, values) => (await query(sql, values)).map(({ text }) => String(text)),
    servers,
    crashes,
    findInOutput: (text) =>
      started.flatMap(({ output }) =>
        output()
          .split('\n')
          .filter((line) => line.includes(text)),
      ),
    token,
    postgres,
    s3,
    listUploads: () => readdir(join(dataDir, 'cache/bucket-tasks')).catch(whenAbsent([])),
    run,
    async replaceServer(signal) {
      const server = servers.shift()
      // A load balancer detects a stopped server by refused connections.
      if (signal === 'SIGTERM') await server?.stopAlone()
      else await server?.stop(signal)
      balancer.ports.delete(server?.port ?? 0)
      await start()
    },
    async pauseServer(forMs) {
      const [server] = servers
      server?.send('SIGSTOP')
      await delay(forMs)
      server?.send('SIGCONT')
    },
    addWorker,
    async replaceWorker() {
      await workers.shift()?.stop('SIGKILL')
      addWorker()
    },
    async pauseWorker(forMs) {
      const [worker] = workers
      worker?.send('SIGSTOP')
      await delay(forMs)
      worker?.send('SIGCONT')
    },
    async close() {
      for (const worker of workers) await worker.stop('SIGKILL')
      await Promise.all(servers.map((server) => server.stop()))
      balancer.close()
      postgres.stop()
      await s3.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
