import type { Config } from '../config/read-config.ts'
import type { Store } from '../store/store.ts'
import { requireHost } from './data-dir.ts'
import { useSealingKey } from './config/use-sealing-key.ts'

/** Location of the database of a host. */
export type StorePlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'sealingKey'>

/**
 * Opens the database of a host for one command, whether or not a server is running on it, and closes it afterwards.
 *
 * @throws CliError 2 if the data directory contains no host.
 */
export async function withStore<Result>(place: StorePlace, use: (store: Store) => Promise<Result>): Promise<Result> {
  await requireHost(place)
  return withNewStore(place, use)
}

/** Like `withStore`, but creates a missing database: for commands that create hosts. */
export async function withNewStore<Result>(place: StorePlace, use: (store: Store) => Promise<Result>): Promise<Result> {
  const { openStore } = await import('../store/store.ts')
  const { dataDir, databaseUrl } = place
  const store = await openStore({ dataDir, databaseUrl, migratesServed: false })
  try {
    await useSealingKey(place, store)
    return await use(store)
  } finally {
    await store.close()
  }
}
