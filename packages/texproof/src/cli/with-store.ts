import type { Store } from '../store/store.ts'

import { requireHost } from './data-dir.ts'

/**
 * Opens the database of a host for one command, whether or not a server is running on it, and closes it afterwards.
 *
 * @throws CliError 2 when the data directory holds no host.
 */
export async function withStore<Result>(dataDir: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  await requireHost(dataDir)
  return withNewStore(dataDir, use)
}

/** As `withStore`, and creates the database if there is none: for commands that create hosts. */
export async function withNewStore<Result>(dataDir: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const { openStore } = await import('../store/store.ts')
  const store = await openStore({ dataDir })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
