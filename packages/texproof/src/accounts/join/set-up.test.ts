import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import { makeSetUpCode, setUp } from './set-up.ts'

test('two set-up links that are used at the same time create one administrator', async (context) => {
  const { store } = await openTestStore(context)
  const codes = [await makeSetUpCode(store), await makeSetUpCode(store)]
  const registration = { mode: 'closed', emailDomain: null } as const
  const outcomes = await Promise.all(
    codes.map((code, index) =>
      setUp(store, { code: code ?? '', login: `bob-${index}`, password: 'correct horse', registration }),
    ),
  )
  const users = await store.users.list({ text: 'bob', limit: 10, offset: 0 })
  assert.deepEqual(
    [outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind)).toSorted(), users.length],
    [['done', 'expired-code'], 1],
  )
})
