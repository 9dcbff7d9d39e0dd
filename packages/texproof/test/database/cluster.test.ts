import assert from 'node:assert/strict'
import { test } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { openPushingClient } from '../support/cluster/push-until.ts'
import { runOperations } from '../support/cluster/run-operations.ts'
import { addClusterUser } from '../support/cluster/add-cluster-user.ts'
import { startCluster, type Cluster } from '../support/cluster/start-cluster.ts'
import { findPostgres } from '../support/database/postgres-cluster.ts'
import { beginSlowPush } from '../support/git/slow-push.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient, type WebClient } from '../support/web/web-client.ts'

// `npm run test:cluster -- N` runs N operations with more servers, workers and faults.

const PASSWORD = 'nine trees by the river'
const programs = findPostgres()

/** Two windows of a browser in which bob is signed in: one on each server. */
async function openBrowsers(cluster: Cluster): Promise<readonly [WebClient, WebClient]> {
  const [here, there] = cluster.servers.map(({ url }) => openWebClient(url))
  assert.ok(here !== undefined && there !== undefined)
  await here.submit('/login', '/login', { name: 'bob', password: PASSWORD })
  for (const [name, value] of here.cookies) there.cookies.set(name, value)
  return [here, there]
}

/** Sends a form with the token of the user's pages. */
function post(client: WebClient, path: string, fields: Readonly<Record<string, string>>): Promise<RawResponse> {
  return client.submit('/settings/profile', path, fields)
}

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
      await cluster.query('delete from token where id = (select max(id) from token)')
      for (const url of [first.url, second.url])
        await eventually(() => signIn(url), { until: (status) => status === 401 })
    })

    await addClusterUser(cluster, 'bob', PASSWORD)

    await t.test('a session on one of them is valid on the other until it ends', async () => {
      const [here, there] = await openBrowsers(cluster)
      assert.equal((await there.get('/settings/profile')).status, 200)
      await post(here, '/logout', {})
      await eventually(() => there.get('/settings/profile'), { until: ({ status }) => status === 303 })
    })

    await t.test('a profile saved on one of them is shown by the other', async () => {
      const [here, there] = await openBrowsers(cluster)
      await post(here, '/settings/profile', { name: 'Bob of the tides', bio: '' })
      await eventually(() => there.get('/settings/profile'), { until: ({ text }) => text.includes('Bob of the tides') })
    })

    await t.test('a link shared on one of them opens on the other until it is revoked', async () => {
      const [here, there] = await openBrowsers(cluster)
      await post(here, '/new', { name: 'shared', description: '', visibility: 'private', files: 'yes' })
      const settings = '/bob/shared/settings/share'
      const { headers } = await post(here, settings, { ref: 'refs/heads/main', document: '', days: '30' })
      const page = await here.get(headers.location ?? '')
      const link = /id="made"[^>]*value="[^"]*(\/s\/[^"]+)"/.exec(page.text)?.[1] ?? ''
      const anonymous = openWebClient(second.url)
      await eventually(() => anonymous.get(link), { until: ({ status }) => status === 200 })
      const [, revoke = ''] = /action="([^"]+\/revoke)"/.exec((await there.get(settings)).text) ?? []
      await post(here, revoke, {})
      await eventually(() => anonymous.get(link), { until: ({ status }) => status === 410 })
    })

    await t.test('wrong passwords on one of them delay the next attempt on the other', async () => {
      await addClusterUser(cluster, 'carol', PASSWORD)
      const attempt = async (url: string): Promise<number> => {
        const client = openWebClient(url)
        return (await client.submit('/login', '/login', { name: 'carol', password: 'wrong' })).status
      }
      const statuses: number[] = []
      for (const url of [first.url, second.url, first.url, second.url, first.url, second.url, first.url])
        statuses.push(await attempt(url))
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
    })

    await t.test(
      'a push to one of them stops the build of the push before, which the other one has started',
      async () => {
        const [here, there] = [first.url, second.url].map(
          (url) => `${url.replace('://', `://alice:${cluster.token}@`)}/alice/tides.git`,
        )
        const files = { 'main.tex': '\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}\n' }
        const client = await openPushingClient(here ?? '', { branch: 'main', files })
        const readStates = async (): Promise<string> =>
          (await cluster.list('select state as text from build order by id')).join(' ')
        const earlier = client.push()
        await eventually(readStates, { until: (states) => states === 'running' })
        const later = client.push(there)
        // The worker has one slot, which the first build would hold for a minute.
        await eventually(readStates, {
          within: 30_000,
          until: (states) => states === 'cancelled running',
        })
        await cluster.query("update build set state = 'cancelled'")
        assert.deepEqual(await Promise.all([earlier, later]), [true, true])
        client.close()
      },
    )

    await t.test('one that was paused in a push rejects it after the other has taken it over', async () => {
      const remote = `${first.url}/alice/tides.git`
      const endPush = await beginSlowPush(remote, { token: cluster.token, branch: 'paused' })
      const listPushes = () => cluster.query('select id from push_journal')
      await eventually(listPushes, { until: ({ length }) => length === 1 })
      first.send('SIGSTOP')
      // Nothing has moved, so the other server only removes the entry.
      await eventually(listPushes, { within: 60_000, until: ({ length }) => length === 0 })
      first.send('SIGCONT')
      const report = await endPush()
      const { status } = await fetch(`${second.url}/api/v3/repos/alice/tides/branches/paused`, {
        headers: { authorization },
      })
      assert.match(report, /ng refs\/heads\/paused .*another server has taken over this push/)
      assert.equal(status, 404)
    })

    await t.test('when one of them is killed during changes, nothing that was acknowledged is lost', async () => {
      const run = await runOperations(cluster, {
        authors: 4,
        papers: 1,
        operations: 80,
        faults: ['server'],
        maxFaults: 1,
        faultEveryMs: 500,
      })
      const { acknowledged, builds, others: _, cuts: __, visible, facts: ___, doctorSeconds: ____, ...rest } = run
      assert.deepEqual(rest, {
        operations: 80,
        faults: 1,
        crashes: [],
        wrong: [],
        late: [],
        lost: [],
        unrecorded: [],
        wrongBuilds: [],
        leftOver: [],
        doctor: { exitCode: 0, broken: [] },
      })
      assert.ok(acknowledged >= 60 && builds >= 1 && visible >= 4, JSON.stringify(run))
    })
  },
)
