import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../support/hosts/api-host.ts'
import type { ApiHost } from '../support/hosts/api-host.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

let host: ApiHost

before(async () => {
  host = await openApiHost()
  const { user } = await host.addUser('alice')
  await host.addRepository(user, 'tides')
})
after(() => host.close())

const quota = (...args: readonly string[]) => runTexproof(['user', 'quota', ...args, '--data', host.dataDir])

async function readQuotas(): Promise<unknown> {
  return JSON.parse((await quota('alice', '--json')).stdout)
}

test('texproof user quota sets limits of one user and restores the limits of the host', async () => {
  const before = Object(await readQuotas())
  const set = await quota('alice', '--repositories', '7', '--storage', '3m')
  const changed = Object(await readQuotas())
  await quota('alice', '--repositories', 'default', '--storage', 'default')
  assert.deepEqual(
    [set.exitCode, set.stdout.split('\n').slice(0, 2), changed.quotas.repositories, changed.quotas.storage.limit],
    [
      0,
      ['Repositories: 1 of 7 (set for this user)', 'Storage: 0 B of 3 MB (set for this user)'],
      { used: 1, limit: 7, is_default: false },
      3 * 1024 * 1024,
    ],
  )
  assert.deepEqual([changed.quotas.build_minutes, await readQuotas()], [before.quotas.build_minutes, before])
})

test('texproof user quota reports an unknown user and an invalid limit, and changes nothing', async () => {
  const before = await readQuotas()
  const unknown = await quota('bob')
  const invalid = await quota('alice', '--repositories', '9', '--storage', 'much')
  assert.deepEqual(
    [unknown, invalid].map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]]),
    [
      [2, `texproof: user "bob" not found in ${host.dataDir}`],
      [2, 'texproof: invalid value "much" for --storage'],
    ],
  )
  assert.deepEqual(await readQuotas(), before)
})
