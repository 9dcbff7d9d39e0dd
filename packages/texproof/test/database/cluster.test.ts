import assert from 'node:assert/strict'
import { test } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { runCluster } from '../support/cluster/run-cluster.ts'
import { startCluster } from '../support/cluster/start-cluster.ts'
import { findPostgres } from '../support/database/postgres-cluster.ts'

// `npm run test:cluster -- N` runs N pushes with more servers, workers and kills.

const programs = findPostgres()

test(
  'two servers share a database and repositories',
  { skip: programs === null && 'PostgreSQL is not installed' },
  async (t) => {
    if (programs === null) return
    const cluster = await startCluster(programs, { size: 2 })
    t.after(() => cluster.close())
    cluster.addWorker()
    const [first, second] = cluster.servers
    assert.ok(first !== undefined && second !== undefined)
    const authorization = `Bearer ${cluster.token}`

    await t.test('a change on one of them is visible on the other', async () => {
      const create = { method: 'POST', headers: { authorization }, body: JSON.stringify({ name: 'tides' }) }
      assert.equal((await fetch(`${first.url}/api/v3/user/repos`, create)).status, 201)
      const read = async (): Promise<number> => (await fetch(`${second.url}/api/v3/repos/alice/tides`)).status
      await eventually(read, { until: (status) => status === 200 })

      const other = (await cluster.run('token', 'create', '--user', 'alice')).stdout.trim()
      const signIn = async (url: string): Promise<number> =>
        (await fetch(`${url}/api/v3/user`, { headers: { authorization: `Bearer ${other}` } })).status
      assert.deepEqual(await Promise.all([signIn(first.url), signIn(second.url)]), [200, 200])
      await cluster.database.query('delete from token where id = (select max(id) from token)')
      for (const url of [first.url, second.url])
        await eventually(() => signIn(url), { until: (status) => status === 401 })
    })

    await t.test('when one of them is killed during pushes, no acknowledged push is lost', async () => {
      const run = await runCluster(cluster, {
        clients: 4,
        papers: 1,
        pushes: 3,
        faults: ['server'],
        maxFaults: 1,
        faultEveryMs: 500,
      })
      const { acknowledged, builds, failed: _, repositories: __, ...rest } = run
      assert.deepEqual(rest, {
        faults: 1,
        lostRepositories: [],
        lost: [],
        unrecorded: [],
        wrongBuilds: [],
        leftOver: [],
        doctor: { exitCode: 0, broken: [] },
      })
      assert.ok(acknowledged >= 4 && builds >= 1, JSON.stringify(run))
    })
  },
)
