import { createToken } from '../../../src/accounts/tokens/create-token.ts'
import { allScopes } from '../../../src/domain/scopes.ts'
import { openStore } from '../../../src/store/store.ts'
import { addTestUser } from '../hosts/add-test-user.ts'
import type { Cluster } from './start-cluster.ts'

/** Adds a user who can sign in; returns a token of theirs. */
export async function addClusterUser(
  cluster: Pick<Cluster, 'dataDir'> & { readonly databaseUrl: string | null },
  login: string,
  password: string,
): Promise<string> {
  const store = await openStore(cluster)
  try {
    const added = await addTestUser(store, { login, password })
    if (added.kind !== 'added') throw new Error(added.reason)
    const details = { userId: added.user.id, name: 'laptop', scopes: allScopes, expiresAt: null }
    return (await createToken(store, details)).text
  } finally {
    await store.close()
  }
}
