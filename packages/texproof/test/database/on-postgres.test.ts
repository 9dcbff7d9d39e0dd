import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'

import { findPostgres, startPostgres } from '../support/database/postgres-cluster.ts'
import { runProgram } from '../support/programs/run-program.ts'

// The tests of store, API and journeys, which also run on SQLite. `TEST_DATABASE=postgres npm test -- PATTERN` runs others.

const FILES = [
  'src/store/{store,*/*}.test.ts',
  'src/api/handlers/*.test.ts',
  'test/accounts/sign-in-journeys.test.ts',
  'test/repository/repository-journeys.test.ts',
]
/** Tests of the database engine itself. */
const ENGINES = ['src/store/sqlite/*', 'src/store/postgres/*']

const programs = findPostgres()
const root = new URL('../../', import.meta.url).pathname

test(
  'store, API and journeys work on PostgreSQL',
  { skip: programs === null && 'PostgreSQL is not installed' },
  async (t) => {
    if (programs === null) return
    const cluster = await startPostgres(programs)
    t.after(() => cluster.stop())
    const files = globSync(FILES, { cwd: root, exclude: ENGINES })
    const args = ['--conditions=texproof-source', '--test', '--test-concurrency=2', ...files]
    const { TEST_BROWSER: browser } = process.env
    const env = { TEST_DATABASE: cluster.url, ...(browser === undefined ? {} : { TEST_BROWSER: browser }) }
    const { exitCode, stdout } = await runProgram(process.execPath, args, { cwd: root, env })
    assert.equal(exitCode, 0, stdout)
  },
)
