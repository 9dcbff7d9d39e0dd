import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openMailServer } from '../../../test/support/hosts/mail-server.ts'
import { checkMail } from './check-mail.ts'

test('a mail server is good while it lets the host in, and nothing is sent', async (context) => {
  const server = await openMailServer()
  context.after(() => server.close())
  const { smtp } = server
  const good = await checkMail({ smtp: { ...smtp, login: { user: 'papers', password: 'sesame' } } })
  assert.deepEqual(good, [
    {
      check: 'mail',
      state: 'good',
      message: `letters go out by 127.0.0.1:${smtp.port}, from Papers <papers@uni.example>`,
      remedy: null,
    },
  ])
  assert.deepEqual([server.logins, server.letters], [['papers:sesame'], []])
})

test('a mail server that is not there is broken, and none at all is no finding', async () => {
  const smtp = { host: '127.0.0.1', port: 9, isTls: false, login: null, from: 'a@uni.example' }
  const [finding] = await checkMail({ smtp })
  assert.deepEqual([finding?.state, /127\.0\.0\.1:9/.test(finding?.message ?? '')], ['broken', true])
  assert.deepEqual(await checkMail({ smtp: null }), [])
})
