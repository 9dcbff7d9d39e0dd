import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { parseLogin, reservedLogins } from '../../domain/names.ts'
import { suggestLogin } from './join-by-issuer.ts'

test('a username is suggested after the name at the identity provider', () => {
  const people = [
    { username: 'alice', email: null, unprovedEmail: null },
    { username: 'alice@uni.example', email: null, unprovedEmail: null },
    { username: 'Ålice van der Sample', email: null, unprovedEmail: null },
    { username: null, email: 'alice.example+papers@uni.example', unprovedEmail: null },
    { username: null, email: null, unprovedEmail: 'bob@uni.example' },
    { username: '李', email: null, unprovedEmail: null },
    { username: 'API', email: null, unprovedEmail: null },
    { username: null, email: null, unprovedEmail: null },
  ]
  assert.deepEqual(people.map(suggestLogin), [
    'alice',
    'alice',
    'Alice-van-der-Sample',
    'alice-example-papers',
    'bob',
    '',
    '',
    '',
  ])
})

test('a suggestion is a valid username, or empty', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.constantFrom(...reservedLogins)),
      (username) => {
        const login = suggestLogin({ username, email: null, unprovedEmail: null })
        assert.ok(login === '' || parseLogin(login) !== null)
      },
    ),
  )
})
