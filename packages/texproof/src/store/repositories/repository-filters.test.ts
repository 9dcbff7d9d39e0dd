import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { User } from '../../domain/types.ts'
import { addUser } from '../../accounts/users/add-user.ts'
import type { RepositoryFilter, FilterOptions } from './repository-filters.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { openStore } from '../store.ts'
import type { Store } from '../store.ts'

/**
 * alice has a public, a private and a disabled repository; bob is a collaborator of the private one and starred all.
 */
let dataDir: string
let store: Store
let alice: string
let bob: string

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'texproof-filters-'))
  store = await openStore({ dataDir, databaseUrl: await createTestDatabase(dataDir) })
  const ids: Record<string, number> = {}
  const owner = await add('alice')
  alice = owner.id
  bob = (await add('bob')).id
  for (const name of ['open', 'closed', 'secret_x', 'off']) {
    const visibility = name === 'open' || name === 'off' ? 'public' : 'private'
    const id = await store.repositories.addUnfinished({
      owner,
      name,
      description: `About 100% of ${name}`,
      visibility,
      defaultBranch: 'main',
    })
    await store.repositories.markReady(id)
    await store.repositories.addStar(id, bob)
    ids[name] = id
  }
  await store.repositories.setCollaborator(ids['closed'] ?? 0, bob, 'pull')
  await store.repositories.addStar(ids['closed'] ?? 0, alice)
  await store.repositories.change(ids['off'] ?? 0, { isDisabled: true })
})

after(async () => {
  await store.close()
  await rm(dataDir, { recursive: true })
})

async function add(login: string): Promise<User> {
  const outcome = await addUser(store, { login })
  assert.ok(outcome.kind === 'added')
  return outcome.user
}

async function names(
  filter: RepositoryFilter,
  viewerId: string | null,
  more: Partial<FilterOptions> = {},
): Promise<string[]> {
  const { items, total } = await store.repositories.listFiltered({
    filter,
    viewerId,
    text: '',
    order: 'name',
    window: { offset: 0, limit: 10 },
    ...more,
  })
  assert.ok(total >= items.length)
  return items.map(({ name }) => name)
}

test('a filtered list contains only repositories that the viewer may read', async () => {
  const found = await Promise.all([
    names({ kind: 'public' }, null),
    names({ kind: 'owned', userId: alice }, null),
    names({ kind: 'owned', userId: alice }, bob),
    names({ kind: 'owned', userId: alice }, alice),
    names({ kind: 'shared', userId: bob }, bob),
    names({ kind: 'starred', userId: bob }, bob),
    names({ kind: 'starred', userId: bob }, null),
    names({ kind: 'member', userId: bob }, bob),
  ])
  assert.deepEqual(found, [
    ['open'],
    ['open'],
    ['closed', 'open'],
    ['closed', 'off', 'open', 'secret_x'],
    ['closed'],
    ['closed', 'open'],
    ['open'],
    ['closed'],
  ])
})

test('a list is filtered by a literal text, ignoring case', async () => {
  const owned = { kind: 'owned', userId: alice } as const
  const found = await Promise.all(
    ['CLOSE', 't_x', '100%', '%', '_', 'alice/o'].map((text) => names(owned, alice, { text })),
  )
  assert.deepEqual(found, [
    ['closed'],
    ['secret_x'],
    ['closed', 'off', 'open', 'secret_x'],
    ['closed', 'off', 'open', 'secret_x'],
    ['secret_x'],
    ['off', 'open'],
  ])
})

test('a list is sorted by stars and returned page by page', async () => {
  const owned = { kind: 'owned', userId: alice } as const
  const first = await names(owned, alice, { order: 'stars', window: { offset: 0, limit: 1 } })
  const second = await names(owned, alice, { window: { offset: 1, limit: 2 } })
  assert.deepEqual([first, second], [['closed'], ['off', 'open']])
})

test('a repository is found by its description regardless of case, even with letters beyond ASCII', async () => {
  const owner = await add('carol')
  const descriptions = { gezeiten: 'Über Gezeiten', etude: 'Étude des marées', privet: 'ПРИВЕТ' }
  for (const [name, description] of Object.entries(descriptions)) {
    const defaultBranch = 'main'
    const fields = { owner, name, description, visibility: 'public', defaultBranch } as const
    await store.repositories.markReady(await store.repositories.addUnfinished(fields))
  }
  const found: Record<string, readonly (readonly string[])[]> = {}
  for (const text of ['Über Gezeiten', 'üBER', 'ÉTUDE', 'marées', 'привет', 'uber']) {
    const searched = await store.repositories.search({ text, viewerId: null, limit: 10 })
    found[text] = [searched.map(({ name }) => name), await names({ kind: 'owned', userId: owner.id }, null, { text })]
  }
  assert.deepEqual(found, {
    'Über Gezeiten': [['gezeiten'], ['gezeiten']],
    üBER: [['gezeiten'], ['gezeiten']],
    ÉTUDE: [['etude'], ['etude']],
    marées: [['etude'], ['etude']],
    привет: [['privet'], ['privet']],
    uber: [[], []],
  })
})

test('a list of users contains those whose login contains the text, and no others', async () => {
  const found: Record<string, readonly string[]> = {}
  for (const text of ['b', 'B', 'b.o.b', 'é', '%', '_', '']) {
    const users = await store.users.list({ text, limit: 10, offset: 0 })
    found[text] = users.map(({ login }) => login)
    assert.equal(await store.users.count(text), users.length)
  }
  const all = ['alice', 'bob', 'carol']
  assert.deepEqual(found, { b: ['bob'], B: ['bob'], 'b.o.b': [], é: [], '%': [], _: [], '': all })
})
