import assert from 'node:assert/strict'
import { test } from 'node:test'

import { hashOfNobody, hashPassword, verifyPassword } from './hash-password.ts'

test('hashPassword() stores its parameters and matches only its own password', async () => {
  const stored = await hashPassword('correct horse')
  assert.match(stored, /^scrypt\$17\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  const answers = await Promise.all(['correct horse', 'Correct horse', ''].map((text) => verifyPassword(text, stored)))
  assert.deepEqual(answers, [true, false, false])
})

test('verifyPassword() refuses a hash in an unknown format, and a password that is too long', async () => {
  const stored = await hashPassword('x'.repeat(1_024))
  assert.equal(await verifyPassword('x', 'plain:x'), false)
  assert.equal(await verifyPassword('x'.repeat(1_025), stored), false)
})

test('the dummy hash takes as long as any other, and matches no password', async () => {
  const costOf = (stored: string) => stored.split('$').slice(0, 4)
  assert.deepEqual(costOf(hashOfNobody), costOf(await hashPassword('correct horse battery')))
  assert.equal(await verifyPassword('', hashOfNobody), false)
})
