import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openMailServer } from '../../../test/support/hosts/mail-server.ts'
import { checkMail } from './check-mail.ts'

test('checkMail reports a mail server that accepts the login, and sends nothing', async (context) => {
  const server = await openMailServer()
  context.after(() => server.close())
  const { smtp } = server
  const good = await checkMail({ smtp: { ...smtp, login: { user: 'papers', password: 'sesame' } } })
  assert.deepEqual(good, [
    {
      check: 'mail',
      state: 'good',
      message: `sends through 127.0.0.1:${smtp.port} as Papers <papers@uni.example>`,
      remedy: null,
    },
  ])
  assert.deepEqual([server.logins, server.emails], [['papers:sesame'], []])
})

test('checkMail reports one that cannot be reached, and nothing if none is configured', async () => {
  const smtp = { host: '127.0.0.1', port: 9, isTls: false, login: null, from: 'a@uni.example' }
  const [finding] = await checkMail({ smtp })
  assert.deepEqual([finding?.state, /127\.0\.0\.1:9/.test(finding?.message ?? '')], ['broken', true])
  assert.deepEqual(await checkMail({ smtp: null }), [])
})
