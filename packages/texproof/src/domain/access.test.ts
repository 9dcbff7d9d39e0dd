import assert from 'node:assert/strict'
import { test } from 'node:test'

import { exampleRepository, exampleUser } from '../../test/support/example-repository.ts'
import { permissionOf } from './access.ts'
import type { Caller, User } from './types.ts'

const alice = exampleUser()
const bob = exampleUser({ id: '2', login: 'bob' })

test('permissionOf() gives the owner all permissions', () => {
  assert.equal(
    permissionOf(caller(alice), exampleRepository({ visibility: 'private' }), { collaboration: null }),
    'admin',
  )
})

test('permissionOf() returns the permission of a collaborator', () => {
  const given = (['pull', 'push', 'admin'] as const).map((collaboration) =>
    permissionOf(caller(bob), exampleRepository({ visibility: 'private' }), { collaboration }),
  )
  assert.deepEqual(given, ['pull', 'push', 'admin'])
})

test('permissionOf() lets anyone read public repositories, and nothing else', () => {
  const seen = [caller(bob), null].flatMap((who) => [
    permissionOf(who, exampleRepository({ visibility: 'public' }), { collaboration: null }),
    permissionOf(who, exampleRepository({ visibility: 'private' }), { collaboration: null }),
  ])
  assert.deepEqual(seen, ['pull', 'none', 'pull', 'none'])
})

function caller(user: User): Caller {
  return { user, scopes: [], tokenId: null }
}
