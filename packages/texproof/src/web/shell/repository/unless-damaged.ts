import type { Deps } from '../../../operations/deps.ts'
import type { Repository } from '../../../domain/types.ts'
import { DamagedObjectError } from '../../../git/objects/damaged-object.ts'
import { DamagedRefError } from '../../../git/refs/damaged-ref.ts'

/**
 * Reads one of the repositories of a page. If a file of it is damaged, that is logged, and the result is the fallback, so
 * that the page shows the other repositories.
 */
export async function unlessDamaged<Result>(
  read: () => Promise<Result>,
  {
    log,
    repository,
    fallback,
  }: { readonly log: Deps['log']; readonly repository: Repository; readonly fallback: Result },
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof DamagedRefError || error instanceof DamagedObjectError)) throw error
    log.error({ err: error, repositoryId: repository.id }, 'a repository is damaged')
    return fallback
  }
}
