import assert from 'node:assert/strict'
import { test } from 'node:test'

import { makeFolder } from '../../test/support/make-folder.ts'
import { addUser } from '../accounts/users/add-user.ts'
import { openStore } from '../store/store.ts'
import type { Mail } from './open-mail.ts'
import { sendAccountNotices } from './send-account-notices.ts'

test('an email about an account event that cannot be queued is logged', async (context) => {
  const store = await openStore({ dataDir: makeFolder(context) })
  context.after(() => store.close())
  const outcome = await addUser(store, { login: 'alice', email: 'alice@uni.example' })
  const logged: string[] = []
  const log = { error: (line: { readonly kind: string }, words: string) => void logged.push(`${line.kind}: ${words}`) }
  const mail = {
    isConfigured: true,
    send: () => {
      throw new Error('the queue is gone')
    },
  } as unknown as Mail
  const config = { baseUrl: 'http://localhost', name: 'papers' }
  const notices = sendAccountNotices({ config, log: log as never, store, mail })
  const userId = outcome.kind === 'added' ? outcome.user.id : ''
  await store.events.add({ kind: 'password-changed', userId, actorId: userId })
  await notices.whenQueued()
  assert.deepEqual(logged, ['password-changed: email about an account event was not queued'])
})
