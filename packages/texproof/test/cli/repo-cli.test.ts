import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { join } from 'node:path'

import { openApiHost } from '../support/hosts/api-host.ts'
import type { ApiHost } from '../support/hosts/api-host.ts'
import { listPending } from '../../src/papers/push/pending-repositories.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

let host: ApiHost
let draftId: number

before(async () => {
  host = await openApiHost()
  const { user } = await host.addUser('alice')
  draftId = (await host.addRepository(user, 'draft', { visibility: 'private' })).id
  await host.addRepository(user, 'tides')
})
after(() => host.close())

const repo = (...args: readonly string[]) => runTexproof(['repo', ...args, '--data', host.dataDir])

test('texproof repo list prints every repository with its flags', async () => {
  const { exitCode, stdout } = await repo('list')
  assert.deepEqual([exitCode, stdout], [0, 'alice/draft  (private)\nalice/tides\n'])
})

test('texproof repo disable closes a repository of a running host, and repo enable opens it again', async () => {
  const disabledOf = async (): Promise<unknown> =>
    Object(await host.call({ target: '/repos/alice/tides' })).body.disabled
  const outcome = await repo('disable', 'alice/tides', '--reason', 'Under review')
  const whileDisabled = [await disabledOf(), (await repo('list')).stdout.split('\n')[1]]
  await repo('enable', 'Alice/TIDES')
  assert.deepEqual(
    [outcome.exitCode, whileDisabled, await disabledOf()],
    [0, [true, 'alice/tides  (disabled: Under review)'], false],
  )
})

test('texproof repo enable marks the repository, so that a server queues its cancelled builds', async () => {
  await repo('disable', 'alice/draft', '--reason', 'Under review')
  await repo('enable', 'alice/draft')
  const [all, old] = [await listPending(host.dataDir), await listPending(host.dataDir, { before: 0 })]
  assert.deepEqual([all.includes(draftId), old], [true, []])
})

test('texproof repo disable reports an invalid name or reason', async () => {
  const missing = await repo('disable', 'alice/waves', '--reason', 'x')
  const silent = await repo('disable', 'alice/tides', '--reason', ' ')
  const none = await repo('disable', 'alice/tides')
  assert.deepEqual(
    [missing, silent, none].map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]]),
    [
      [2, `texproof: repository "alice/waves" not found in ${join(host.dataDir)}`],
      [2, 'texproof: invalid reason'],
      [2, 'texproof: required option "--reason <words>" not specified'],
    ],
  )
})
