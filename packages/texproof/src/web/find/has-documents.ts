import { LRUCache } from 'lru-cache'

import type { GitStore } from '../../git/types.ts'
import { findDocumentsOfCommit } from '../../papers/find-documents-of-commit.ts'

/** Of a commit, which never changes. */
const answers = new LRUCache<string, boolean>({ max: 10_000 })

/** Whether a commit holds something to typeset, or a configuration that meant to. */
export async function hasDocuments(git: GitStore, repositoryId: number, commitId: string): Promise<boolean> {
  const key = `${repositoryId} ${commitId}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const found = await findDocumentsOfCommit(git, repositoryId, commitId)
  answers.set(key, found.kind !== 'none')
  return found.kind !== 'none'
}
