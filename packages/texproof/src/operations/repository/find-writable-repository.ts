import type { Repository } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { findReadableRepository } from './find-readable-repository.ts'
import type { RepositoryRequest } from './find-readable-repository.ts'

/** Why a readable repository cannot be written to. */
export type WriteRefusal = 'no-permission' | 'missing-scope' | 'archived' | 'disabled' | 'mirror'

/** A repository to write to, or the reason of a refusal. */
export type WritableRepository =
  | { readonly kind: 'ok'; readonly repository: Repository }
  /** Absent, or hidden from the caller: the two must be indistinguishable. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'forbidden'; readonly reason: WriteRefusal; readonly repository: Repository }

/** Finds a repository for a push or an edit. Only callers who may read it get the reason of a refusal. */
export async function findWritableRepository(store: Store, request: RepositoryRequest): Promise<WritableRepository> {
  const found = await findReadableRepository(store, request)
  if (found === null) return { kind: 'not-found' }
  const { repository, permission } = found
  if (repository.isDisabled && permission === 'pull') return { kind: 'not-found' }
  const reason = refusalOf(request, repository, permission !== 'pull')
  return reason === null ? { kind: 'ok', repository } : { kind: 'forbidden', reason, repository }
}

function refusalOf(request: RepositoryRequest, repository: Repository, mayPush: boolean): WriteRefusal | null {
  if (request.caller === null || !mayPush) return 'no-permission'
  if (!request.caller.scopes.includes('repo:write')) return 'missing-scope'
  if (repository.isDisabled) return 'disabled'
  if (repository.isArchived) return 'archived'
  return repository.mirrorUrl === null ? null : 'mirror'
}
