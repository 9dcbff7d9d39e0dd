import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'

import { findPostgres, startPostgres } from '../support/database/postgres-cluster.ts'
import { checkout } from '../support/programs/checkout.ts'
import { runProgram } from '../support/programs/run-program.ts'

// The tests of store, API and journeys, which also run on SQLite. `TEST_DATABASE=postgres npm test -- PATTERN` runs others.

const FILES = [
  'packages/texproof/src/store/{store,*/*}.test.ts',
  'packages/texproof/src/accounts/join/set-up.test.ts',
  'packages/texproof/src/api/handlers/*.test.ts',
  'packages/texproof/test/accounts/sign-in-journeys.test.ts',
  'packages/texproof/test/repository/repository-journeys.test.ts',
]
/** Tests of the database engine itself. */
const ENGINES = ['packages/texproof/src/store/sqlite/*', 'packages/texproof/src/store/postgres/*']

const programs = findPostgres()

test(
  'store, API and journeys work on PostgreSQL',
  { skip: programs === null && 'PostgreSQL is not installed' },
  async (t) => {
    if (programs === null) return
    const cluster = await startPostgres(programs)
    t.after(() => cluster.stop())
    const files = globSync(FILES, { cwd: checkout, exclude: ENGINES })
    const args = ['scripts/run-test-files.ts', '--concurrency', '2', ...files]
    const { TEST_BROWSER: browser } = process.env
    const env = { TEST_DATABASE: cluster.url, ...(browser === undefined ? {} : { TEST_BROWSER: browser }) }
    const { exitCode, stdout } = await runProgram('scripts/pinned-node', args, { cwd: checkout, env })
    assert.equal(exitCode, 0, stdout)
  },
)
