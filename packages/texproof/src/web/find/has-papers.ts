import type { Deps } from '../../deps.ts'
import { hasDocuments } from './has-documents.ts'

/** Whether a repository has ever had a paper, or could have one now: one that is but code is not asked about PDFs. */
export async function hasPapers(
  { git, store }: Pick<Deps, 'git' | 'store'>,
  { repositoryId, commitId }: { readonly repositoryId: number; readonly commitId: string | null },
): Promise<boolean> {
  if ((await store.builds.count(repositoryId)) > 0) return true
  return commitId !== null && hasDocuments(git, repositoryId, commitId)
}
