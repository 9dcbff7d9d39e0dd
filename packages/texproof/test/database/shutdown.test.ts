/** The shutdown of a server whose database does not answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Client } from 'pg'

import { findPostgres, startPostgres } from '../support/database/postgres-cluster.ts'
import { createPostgresDatabase } from '../support/database/test-database.ts'
import { startHost } from '../support/hosts/start-host.ts'

const programs = findPostgres()

/** Stops the processes of a database without closing their connections; returns the function that continues them. */
async function suspend(databaseUrl: string): Promise<() => void> {
  const client = new Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query<{ readonly pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await client.end()
  const sendAll = (signal: NodeJS.Signals): void => {
    for (const { pid } of rows)
      try {
        process.kill(pid, signal)
      } catch {
        // Its connection has ended in the meantime.
      }
  }
  sendAll('SIGSTOP')
  return () => sendAll('SIGCONT')
}

test(
  'a server whose database does not answer ends without it, and says so',
  { skip: programs === null && 'PostgreSQL is not installed' },
  async (t) => {
    if (programs === null) return
    const cluster = await startPostgres(programs)
    t.after(() => cluster.stop())
    const databaseUrl = await createPostgresDatabase(cluster.url)
    const host = await startHost({ env: { TEXPROOF_DATABASE_URL: databaseUrl } })
    t.after(() => host.stop('SIGKILL'))
    const resume = await suspend(databaseUrl)
    host.send('SIGTERM')
    const exitCode = await host.ended.finally(resume)
    assert.deepEqual(
      [exitCode, host.output().split('\n').slice(-2)],
      [
        1,
        [
          'texproof: the shutdown took too long, for example because the database does not answer. The next start completes what remains.',
          '',
        ],
      ],
    )
  },
)
