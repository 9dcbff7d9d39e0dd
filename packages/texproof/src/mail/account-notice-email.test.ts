import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isNews, writeNotice } from './account-notice-email.ts'

const about = {
  to: 'alice@uni.example',
  login: 'alice',
  host: 'Papers of Uni',
  at: new Date('2026-03-01T10:20:30Z'),
  link: 'https://papers.uni.example/settings/security',
  isOwn: true,
}

test('a notice says what happened, to which account, when, from where, and where to look', () => {
  const letter = writeNotice({ ...about, kind: 'token-created', detail: 'laptop', address: '192.0.2.1' })
  assert.deepEqual(letter, {
    kind: 'notice',
    to: 'alice@uni.example',
    subject: 'alice at Papers of Uni: an access token was created',
    text: `An access token was created: laptop.

Account: alice at Papers of Uni
When:    2026-03-01 10:20 UTC, from 192.0.2.1

Was it you? Then there is nothing to do. If not, change your password and look
at what else happened:

  https://papers.uni.example/settings/security
`,
  })
})

test('what is not known is left out', () => {
  const { text } = writeNotice({ ...about, kind: 'two-factor-off', detail: null, address: null })
  assert.match(text, /^Two-factor sign-in was turned off\.\n[^]*10:20 UTC\n/)
})

test('only what its owner should know is news', () => {
  const kinds = ['password-changed', 'identity-linked', 'token-revoked', 'signed-in', 'user-invited', 'constructor']
  const areNews = (actorId: string | null) => kinds.map((kind) => isNews({ kind, userId: 'alice', actorId }))
  assert.deepEqual(areNews('alice'), [true, true, false, false, false, false])
  assert.deepEqual(areNews(null), [true, true, true, false, false, false])
})

test('what an administrator did is not asked whether it was the owner', () => {
  const letter = writeNotice({ ...about, kind: 'factors-reset', detail: null, address: null, isOwn: false })
  assert.match(letter.text, /It was done by an administrator of the host: ask them if you do not know why\./)
  assert.doesNotMatch(letter.text, /change your password/)
})
