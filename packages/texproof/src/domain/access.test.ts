import assert from 'node:assert/strict'
import { test } from 'node:test'

import { permissionOf } from './access.ts'
import type { Caller, Repository, User } from './types.ts'

const alice = person('1', 'alice')
const bob = person('2', 'bob')

test('permissionOf() gives the owner all permissions', () => {
  assert.equal(permissionOf(caller(alice), repository('private'), { collaboration: null }), 'admin')
})

test('permissionOf() returns the permission of a collaborator', () => {
  const given = (['pull', 'push', 'admin'] as const).map((collaboration) =>
    permissionOf(caller(bob), repository('private'), { collaboration }),
  )
  assert.deepEqual(given, ['pull', 'push', 'admin'])
})

test('permissionOf() lets anyone read public repositories, and nothing else', () => {
  const seen = [caller(bob), null].flatMap((who) => [
    permissionOf(who, repository('public'), { collaboration: null }),
    permissionOf(who, repository('private'), { collaboration: null }),
  ])
  assert.deepEqual(seen, ['pull', 'none', 'pull', 'none'])
})

function person(id: string, login: string): User {
  const unset = { name: null, bio: null, email: null, avatarId: null }
  return { id, login, ...unset, isAdmin: false, isDisabled: false, createdAt: 0, updatedAt: 0 }
}

function caller(user: User): Caller {
  return { user, scopes: [], tokenId: null }
}

function repository(visibility: 'public' | 'private'): Repository {
  return {
    id: 1,
    owner: alice,
    name: 'tides',
    description: null,
    visibility,
    defaultBranch: 'main',
    isArchived: false,
    isDisabled: false,
    mirrorUrl: null,
    starCount: 0,
    createdAt: 0,
    updatedAt: 0,
  }
}
