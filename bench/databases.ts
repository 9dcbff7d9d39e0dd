/**
 * Compares requests per second of the REST API on PostgreSQL with those on SQLite: the same host, moved with the code of
 * `texproof move`. The servers alternate, so that other load affects both. Requires wrk and PostgreSQL.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import { moveToPostgres } from '../packages/texproof/src/cli/move/move-database.ts'
import { findPostgres, startPostgres } from '../packages/texproof/test/support/database/postgres-cluster.ts'
import { createPostgresDatabase } from '../packages/texproof/test/support/database/test-database.ts'
import { startHost, type RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { fillStore } from './api/fill-store.ts'
import { percentile } from './crowd/percentile.ts'
import { goalLine } from './goals/goal-line.ts'
import { storeResults } from './goals/store-results.ts'
import { runWrk } from './run-wrk.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const CONNECTIONS = 16
const GOAL = 0.5
const amounts = { repositories: 30, ofAlice: 30, branches: 30, tags: 30 }
const pages = {
  user: '/user',
  repository: '/repos/alice/paper-0',
  private: '/repos/alice/paper-1',
  'own-list': '/user/repos',
  branches: '/repos/alice/paper-0/branches',
  tags: '/repos/alice/paper-0/tags',
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const programs = findPostgres()
  if (programs === null) throw new Error('PostgreSQL is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'texproof-databases-'))
  const cluster = await startPostgres(programs)
  const hosts: RunningHost[] = []
  try {
    const dirs = { sqlite: join(folder, 'sqlite'), postgres: join(folder, 'postgres') }
    await mkdir(dirs.sqlite, { mode: 0o700 })
    const token = await fillStore(dirs.sqlite, amounts)
    await cp(dirs.sqlite, dirs.postgres, { recursive: true })
    const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
    await moveToPostgres({ dataDir: dirs.postgres, databaseUrl: url, sealingKey: null }, url)
    // Without a line per request, the difference between the databases is larger.
    const env = { TEXPROOF_LOG_LEVEL: 'warn' }
    const sqlite = await startHost({ dataDir: dirs.sqlite, env })
    hosts.push(sqlite)
    const postgres = await startHost({ dataDir: dirs.postgres, env: { ...env, TEXPROOF_DATABASE_URL: url } })
    hosts.push(postgres)
    await measure({ sqlite, postgres }, token)
  } finally {
    for (const host of hosts) await host.stop()
    cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(hosts: { readonly sqlite: RunningHost; readonly postgres: RunningHost }, token: string) {
  console.log(`requests per second, medians of ${ROUNDS} rounds, load ${loadavg()[0]?.toFixed(1)}`)
  const rows = []
  for (const [name, path] of Object.entries(pages)) {
    const rate = ({ url }: RunningHost): Promise<number> =>
      runWrk({ url: `${url}/api/v3${path}`, connections: CONNECTIONS, authorization: `token ${token}` })
    for (const host of Object.values(hosts)) await rate(host) // warms up
    const rates = { sqlite: [] as number[], postgres: [] as number[] }
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.sqlite.push(await rate(hosts.sqlite))
      rates.postgres.push(await rate(hosts.postgres))
    }
    const ratio = percentile(
      rates.postgres.map((value, round) => value / (rates.sqlite[round] ?? Number.NaN)),
      0.5,
    )
    const [onSqlite, onPostgres] = [percentile(rates.sqlite, 0.5), percentile(rates.postgres, 0.5)]
    console.log(`${name.padEnd(12)} SQLite ${onSqlite.toFixed(0)}  PostgreSQL ${onPostgres.toFixed(0)}`)
    console.log(goalLine(`databases-${name}-of-sqlite`, ratio, { wanted: GOAL, kind: 'least' }))
    rows.push({ name, ratio, ...rates })
  }
  await storeResults('databases', { rounds: ROUNDS, rows })
}
