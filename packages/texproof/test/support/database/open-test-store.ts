import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

import type { User } from '../../../src/domain/types.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { createTestDatabase } from './test-database.ts'

/** A repository to test with, and its owner. */
export interface TestRepository {
  readonly owner: User
  readonly repositoryId: number
}

/** A store in a temporary folder that has the repository alice/tides. Closed at the end of the test. */
export async function openTestStore(context: TestContext): Promise<TestRepository & { readonly store: Store }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-store-'))
  const store = await openStore({ dataDir, databaseUrl: await createTestDatabase(dataDir) })
  context.after(async () => {
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  return { store, ...(await addTestRepository(store)) }
}

/** Adds alice and her public repository "tides". */
export async function addTestRepository({ users, repositories }: Store): Promise<TestRepository> {
  const person = { login: 'alice', name: null, email: null, passwordHash: null, isAdmin: false }
  const owner = await users.add(person, 'u1')
  const details = { owner, name: 'tides', description: null, visibility: 'public', defaultBranch: 'main' } as const
  const repositoryId = await repositories.addUnfinished(details)
  await repositories.markReady(repositoryId)
  return { owner, repositoryId }
}
