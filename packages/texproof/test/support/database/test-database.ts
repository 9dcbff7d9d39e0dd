/**
 * The database of a test: SQLite, or PostgreSQL if TEST_DATABASE is `postgres` or the URL of a running cluster. The same
 * tests run on both.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { openStore } from '../../../src/store/store.ts'
import { findPostgres, startPostgres, type PostgresCluster } from './postgres-cluster.ts'

/** Has the newest schema, so that each test copies it instead of migrating. */
const TEMPLATE = 'texproof_template'

const SQLITE_FILE = 'texproof.db'

let sqliteTemplate: Promise<Uint8Array> | null = null
let cluster: Promise<PostgresCluster> | null = null
let template: Promise<void> | null = null

/** Whether tests use PostgreSQL. */
export const isOnPostgres = (process.env['TEST_DATABASE'] ?? '') !== ''

/**
 * Creates a database for `openStore`, and returns its `databaseUrl`; null = SQLite, in `dataDir`. It has the newest schema, or
 * none if `isEmpty`.
 */
export async function createTestDatabase(
  dataDir: string,
  options: { readonly isEmpty?: boolean } = {},
): Promise<string | null> {
  if (isOnPostgres) return createPostgresDatabase(await findCluster(), options)
  if (options.isEmpty !== true) await copySqliteTemplate(dataDir)
  return null
}

async function copySqliteTemplate(dataDir: string): Promise<void> {
  sqliteTemplate ??= createSqliteTemplate()
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, SQLITE_FILE), await sqliteTemplate, { mode: 0o600, flag: 'wx' })
}

async function createSqliteTemplate(): Promise<Uint8Array> {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-template-'))
  await (await openStore({ dataDir })).close()
  const bytes = await readFile(join(dataDir, SQLITE_FILE))
  await rm(dataDir, { recursive: true })
  return bytes
}

async function findCluster(): Promise<string> {
  const wanted = process.env['TEST_DATABASE'] ?? ''
  if (wanted !== 'postgres') return wanted
  const programs = findPostgres()
  if (programs === null) throw new Error('PostgreSQL is not installed')
  cluster ??= startPostgres(programs)
  return (await cluster).url
}

/** A new database in a cluster. */
export async function createPostgresDatabase(
  clusterUrl: string,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<string> {
  template ??= createTemplate(clusterUrl)
  await template
  const name = `test_${randomBytes(6).toString('hex')}`
  const from = isEmpty ? 'template1' : TEMPLATE
  await administrate(clusterUrl, async (client) => client.query(`create database ${name} template ${from}`))
  return urlOf(clusterUrl, name)
}

/** Removes a database of a cluster. Thousands of them would fill the disk. */
export async function dropPostgresDatabase(clusterUrl: string, databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1)
  await administrate(clusterUrl, async (client) => client.query(`drop database ${name} with (force)`))
}

/** Several test processes may use a cluster. */
async function createTemplate(clusterUrl: string): Promise<void> {
  await administrate(clusterUrl, async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [TEMPLATE])
    if (rowCount !== 0) return
    const draft = `${TEMPLATE}_draft`
    await client.query(`create database ${draft}`)
    await (await openStore({ dataDir: '/nonexistent', databaseUrl: urlOf(clusterUrl, draft) })).close()
    await client.query(`alter database ${draft} rename to ${TEMPLATE}`)
  })
}

async function administrate(clusterUrl: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(clusterUrl)
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

function urlOf(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${database}`
  return url.href
}
