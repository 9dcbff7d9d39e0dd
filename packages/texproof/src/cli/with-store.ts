import type { Store } from '../store/store.ts'

import { prepareDataDir } from './prepare-data-dir.ts'

/** Opens the database of a data directory for one command, beside a running server or without one, and closes it after. */
export async function withStore<Result>(dataDir: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  await prepareDataDir(dataDir)
  const { openStore } = await import('../store/store.ts')
  const store = await openStore({ dataDir })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
