import assert from 'node:assert/strict'
import { test } from 'node:test'

import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts'

test('makeRecoveryCodes() returns ten codes that are easy to copy, and their hashes', () => {
  const { texts, hashes } = makeRecoveryCodes('alice')
  assert.equal(new Set(texts).size, 10)
  for (const text of texts) assert.match(text, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  assert.deepEqual(
    texts.map((text) => hashRecoveryCode('alice', text)),
    hashes,
  )
})

test('hashRecoveryCode() accepts a code in any spelling', () => {
  const hash = hashRecoveryCode('alice', '01ab-cdef-gh10-0000')
  for (const typed of ['01abcdefgh100000', ' 01AB CDEF GH10 0000 ', 'OlAB-CDEF-GHiO-oooo', '01ab-cdef-ghlO-0000'])
    assert.equal(hashRecoveryCode('alice', typed), hash)
})

test('hashRecoveryCode() depends on the user, and rejects other text', () => {
  const code = '01ab-cdef-gh10-0000'
  assert.notEqual(hashRecoveryCode('alice', code), hashRecoveryCode('bob', code))
  for (const typed of ['', '123456', `${code}0`, code.slice(1), '01ab-cdef-gh10-000u', '01ab_cdef_gh10_0000'])
    assert.equal(hashRecoveryCode('alice', typed), null)
})
