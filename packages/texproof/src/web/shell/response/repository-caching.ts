import type { Repository } from '../../../domain/types.ts'

/**
 * `Cache-Control` of a file made from a repository.
 *
 * A file that never changes is kept by browsers alone: a shared cache would still send it to everyone after the
 * repository became private, disabled or deleted. Any other file is revalidated, which checks the access again.
 */
export function repositoryCaching(
  { visibility, isDisabled }: Repository,
  { isForEver }: { readonly isForEver: boolean },
): string {
  if (isForEver) return 'private, max-age=31536000, immutable'
  return visibility === 'private' || isDisabled ? 'private, no-cache' : 'public, no-cache'
}
