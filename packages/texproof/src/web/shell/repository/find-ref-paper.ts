import type { Deps } from '../../../operations/deps.ts'
import { findCommitProblems } from '../../../papers/find-commit-problems.ts'
import type { CommitProblems } from '../../../domain/build.ts'
import type { Paper } from '../../../papers/types.ts'
import type { ResolvedRef } from './resolve-ref.ts'

/** The documents of a branch, a tag or a commit; for a tag or commit, the builds of that commit. */
export function findRefPaper(
  { papers }: Pick<Deps, 'papers'>,
  repositoryId: number,
  { ref, document }: { readonly ref: ResolvedRef; readonly document: string | null },
): Promise<Paper | null> {
  const { kind, name, commitId } = ref
  if (kind === 'branch') return papers.findPaper(repositoryId, { ref: `refs/heads/${name}`, commitId, document })
  return papers.findPaperOfCommit(repositoryId, { commitId, document })
}

/** The problems of all documents of a commit; empty while the newest builds are of another one. */
export async function findPaperProblems(
  { store }: Pick<Deps, 'store'>,
  paper: Paper | null,
  commitId: string,
): Promise<CommitProblems> {
  if (paper === null || paper.documents[0]?.commitId !== commitId) return { documentCount: 0, problems: [] }
  return findCommitProblems({ store }, paper.documents)
}
