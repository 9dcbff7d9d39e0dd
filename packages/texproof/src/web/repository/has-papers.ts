import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import { hasDocuments } from '../shell/repository/has-documents.ts'

/** Whether a repository has ever had a paper, or could have one now: one that is but code is not asked about PDFs. */
export async function hasPapers(
  deps: Pick<Deps, 'git' | 'parsers' | 'store'>,
  { repository, commitId }: { readonly repository: Repository; readonly commitId: string | null },
): Promise<boolean> {
  if ((await deps.store.builds.count(repository.id)) > 0) return true
  return commitId !== null && hasDocuments(deps, repository, commitId)
}
