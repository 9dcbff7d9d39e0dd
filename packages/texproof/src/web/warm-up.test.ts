import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openPaperHost } from '../../test/support/hosts/paper-host.ts'
import { warmUpPages } from './warm-up.ts'

test('warmUpPages() renders the start page, its style sheet and a public repository, and logs nothing', async (t) => {
  const host = await openPaperHost()
  t.after(() => host.close())
  const { user } = await host.addUser('alice')
  await host.addRepository(user, 'tides', 'public')
  const before = host.logged()
  assert.deepEqual([await warmUpPages(host.deps), host.logged() === before], [[200, 200, 200], true])
})
