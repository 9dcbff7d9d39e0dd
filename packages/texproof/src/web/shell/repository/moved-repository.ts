import type { Repository } from '../../../domain/types.ts'
import { repositoryPath } from '../../../domain/page-urls.ts'

/** The repository of the address is called otherwise by now: the answer is the same page under its new address. */
export class MovedRepository extends Error {
  override readonly name = 'MovedRepository'
  readonly repository: Repository

  constructor(repository: Repository) {
    super('moved')
    this.repository = repository
  }
}

/** The address that a page has now; `pathAndQuery` is the one that was asked for. */
export function movedAddress(pathAndQuery: string, repository: Repository): string {
  return repositoryPath(repository) + pathAndQuery.replace(/^\/[^/?]*\/[^/?]*/, '')
}
