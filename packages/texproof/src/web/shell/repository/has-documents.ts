import { LRUCache } from 'lru-cache'

import type { Deps } from '../../../operations/deps.ts'
import type { Repository } from '../../../domain/types.ts'
import { findDocumentsOfCommit } from '../../../papers/detect/find-documents-of-commit.ts'

/** Answers by commit, which is immutable. */
const answers = new LRUCache<string, boolean>({ maxSize: 10_000, sizeCalculation: () => 1 })

/** Whether a commit contains a document, or a configuration that names one. */
export async function hasDocuments(
  deps: Pick<Deps, 'git' | 'parsers'>,
  repository: Repository,
  commitId: string,
): Promise<boolean> {
  const key = `${repository.id} ${commitId}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const found = await findDocumentsOfCommit(deps, repository, commitId)
  answers.set(key, found.kind !== 'none')
  return found.kind !== 'none'
}

/** Whether a repository has or had a document: code repositories show no PDF pages. */
export async function hasPapers(
  deps: Pick<Deps, 'git' | 'parsers' | 'store'>,
  { repository, commitId }: { readonly repository: Repository; readonly commitId: string | null },
): Promise<boolean> {
  if ((await deps.store.builds.count(repository.id)) > 0) return true
  return commitId !== null && hasDocuments(deps, repository, commitId)
}
