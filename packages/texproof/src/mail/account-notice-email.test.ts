import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isEmailedEvent, writeAccountNotice } from './account-notice-email.ts'

const about = {
  to: 'alice@uni.example',
  login: 'alice',
  host: 'Papers of Uni',
  at: new Date('2026-03-01T10:20:30Z'),
  link: 'https://papers.uni.example/settings/security',
  isOwn: true,
}

test('writeAccountNotice() contains the event, the account, the time, the address and a link', () => {
  const email = writeAccountNotice({ ...about, kind: 'token-created', detail: 'laptop', address: '192.0.2.1' })
  assert.deepEqual(email, {
    kind: 'notice',
    to: 'alice@uni.example',
    subject: 'alice on Papers of Uni: an access token was created',
    text: `An access token was created: laptop.

Account: alice on Papers of Uni
When:    2026-03-01 10:20 UTC, from 192.0.2.1

If this was not you, reset your password and check the recent activity of your
account:

  https://papers.uni.example/settings/security
`,
  })
})

test('writeAccountNotice() omits what is unknown', () => {
  const { text } = writeAccountNotice({ ...about, kind: 'two-factor-off', detail: null, address: null })
  assert.match(text, /^Two-factor authentication was turned off\.\n[^]*10:20 UTC\n/)
})

test('isEmailedEvent() selects the events that are emailed to the owner', () => {
  const kinds = ['password-changed', 'identity-linked', 'token-revoked', 'signed-in', 'user-invited', 'constructor']
  const areEmailed = (actorId: string | null) => kinds.map((kind) => isEmailedEvent({ kind, userId: 'alice', actorId }))
  assert.deepEqual(areEmailed('alice'), [true, true, false, false, false, false])
  assert.deepEqual(areEmailed(null), [true, true, true, false, false, false])
})

test('writeAccountNotice() does not ask whether the owner performed an action of an administrator', () => {
  const email = writeAccountNotice({ ...about, kind: 'factors-reset', detail: null, address: null, isOwn: false })
  assert.match(email.text, /An administrator of the host did this\. Contact them if you do not know why\./)
  assert.doesNotMatch(email.text, /reset your password/)
})

test('writeAccountNotice() does not link to the activity of a disabled account, which cannot sign in', () => {
  const email = writeAccountNotice({ ...about, kind: 'user-disabled', detail: null, address: null, isOwn: false })
  assert.equal(
    email.text,
    `Your account was disabled. Its sessions ended and its tokens are rejected.

Account: alice on Papers of Uni
When:    2026-03-01 10:20 UTC

An administrator of the host did this. Contact them if you do not know why.
`,
  )
})

test('writeAccountNotice() uses only the first sentence as the subject', () => {
  const { subject } = writeAccountNotice({ ...about, kind: 'email-asked', detail: null, address: null })
  assert.equal(subject, 'alice on Papers of Uni: a change of your email address was requested')
})
