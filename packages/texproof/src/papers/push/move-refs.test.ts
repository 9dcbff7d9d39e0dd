import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'

let host: PaperHost

before(async () => {
  host = await openPaperHost(withoutBuilds)
})

after(() => host.close())

test('a push that ends while it waits for the lock of its repository does not keep the lock', async (t) => {
  const { user } = await host.addUser('alice')
  const { id: repositoryId } = await host.addRepository(user, 'tides')
  const { repositoryLocks } = host.deps.store
  const isFree = Promise.withResolvers<void>()
  const steps: string[] = []
  const acquire = repositoryLocks.acquire.bind(repositoryLocks)
  t.mock.method(repositoryLocks, 'acquire', async (entry: Parameters<typeof acquire>[0]) => {
    const release = await acquire(entry)
    await isFree.promise
    return async () => {
      steps.push('released')
      await release()
    }
  })
  const locked = Promise.withResolvers<string>()
  const move = { repositoryId, userId: user.id, updates: [] }
  await host.deps.papers.moveRefs(
    move,
    async (lockRefs) => {
      lockRefs().then(
        () => locked.resolve('locked'),
        (error: unknown) => locked.resolve(String(error)),
      )
    },
    { locksLater: true },
  )
  isFree.resolve()
  assert.deepEqual([await locked.promise, steps], ['Error: the push ended before its lock was free', ['released']])
})
