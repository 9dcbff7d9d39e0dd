import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { FoundText } from '../../git/history/search-text.ts'

const TIME_LIMIT_MS = 3_000

/** Case-sensitive if the query contains a capital letter. */
export function isCaseSensitive(text: string): boolean {
  return text !== text.toLowerCase()
}

/** Searches the files of a commit for a text. */
export function findText(
  { git }: Pick<Deps, 'git'>,
  repository: Repository,
  { commitId, text }: { readonly commitId: string; readonly text: string },
): Promise<FoundText> {
  const query = { commitId, text, isCaseSensitive: isCaseSensitive(text), timeoutMs: TIME_LIMIT_MS }
  return git.searchText(repository.id, query)
}
