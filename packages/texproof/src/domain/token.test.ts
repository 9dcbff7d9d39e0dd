import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'

import fc from 'fast-check'

import { hashToken, makeToken, parseToken } from './token.ts'

test('makeToken() creates tokens that parseToken() accepts', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(61)), (digits) => {
      const token = makeToken(() => digits.next().value ?? 0)
      return parseToken(token) === token && /^pst_[0-9A-Za-z]{36}$/.test(token)
    }),
  )
})

test('parseToken() refuses a token with one changed character', () => {
  const token = makeToken(randomInt)
  const changed = Array.from({ length: 36 }, (_, index) => {
    const at = index + 4
    return token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1)
  })
  assert.deepEqual(
    changed.filter((text) => parseToken(text) !== null),
    [],
  )
})

test('parseToken() refuses text that is not a token', () => {
  const token = makeToken(() => 0)
  const bad = [
    '',
    'pst_',
    '__proto__',
    token.slice(1),
    `${token}\n`,
    ` ${token}`,
    `${token}0`,
    token.replace('pst_', 'ghp_'),
  ]
  assert.deepEqual(
    bad.filter((text) => parseToken(text) !== null),
    [],
  )
})

test('hashToken() is the SHA-256 of the text in hex', () => {
  assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
