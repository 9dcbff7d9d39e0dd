import { join } from 'node:path'

import { hasRepositories } from '../../git/admin/has-repositories.ts'
import { isStoreOut } from '../../store/sqlite/store-errors.ts'
import type { Store } from '../../store/store.ts'

/**
 * Why a running host cannot serve its repositories; null = it can. Everyone may ask: the reason contains no path, and the
 * repositories are counted only if there is none on disk.
 */
export async function findStorageProblem(
  { admin, settings }: Pick<Store, 'admin' | 'settings'>,
  { dataDir }: { readonly dataDir: string },
): Promise<string | null> {
  try {
    await settings.find('') // Only asks whether the database answers.
    if (await hasRepositories(join(dataDir, 'repositories'))) return null
    const { total } = await admin.listRepositories({ text: '', window: { offset: 0, limit: 1 } })
    return total === 0 ? null : 'the repositories of the database are missing on disk'
  } catch (error) {
    if (isStoreOut(error)) return 'the database is not available'
    throw error
  }
}
