import { join } from 'node:path'

import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { hasRepositories } from '../../git/admin/has-repositories.ts'
import type { Finding } from './finding.ts'

/** Reports that the database has repositories and the disk has none, for example because it is not mounted. */
export async function checkRepositoriesOnDisk(
  { dataDir }: Pick<Config, 'dataDir'>,
  { storedCount }: { readonly storedCount: number },
): Promise<Finding[]> {
  const root = join(dataDir, 'repositories')
  if (storedCount === 0 || (await hasRepositories(root))) return []
  return [
    {
      check: 'repositories',
      state: 'broken',
      message: `the repositories of the database are missing in ${root}`,
      remedy: `Mount their disk, or restore a backup: ${commandFor(dataDir, 'restore FILE --replace')}`,
    },
  ]
}
