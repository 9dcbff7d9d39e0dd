import assert from 'node:assert/strict'
import { test } from 'node:test'

import { avatar, initialsOf } from './avatar.ts'

test('initialsOf() takes the first letters of the first and the last word', () => {
  assert.deepEqual(['Alice', 'alice de la Mer', 'alice-bob', '!! ?'].map(initialsOf), ['A', 'AM', 'AB', ''])
})

test('avatar() uses the login if a name has no letters', async () => {
  const drawn = String(await avatar({ login: 'alice', name: '!!', avatarId: null }, 24))
  assert.equal(/<text[^>]*>([^<]*)</.exec(drawn)?.[1], 'A')
})
