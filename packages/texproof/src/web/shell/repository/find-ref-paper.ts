import type { Deps } from '../../../operations/deps.ts'
import type { Paper } from '../../../papers/types.ts'
import type { ResolvedRef } from './resolve-ref.ts'

/** How a document stands at a branch, a tag or a commit; a tag and a commit have what was built from that commit. */
export function findRefPaper(
  { papers }: Pick<Deps, 'papers'>,
  repositoryId: number,
  { ref, document }: { readonly ref: ResolvedRef; readonly document: string | null },
): Promise<Paper | null> {
  const { kind, name, commitId } = ref
  if (kind === 'branch') return papers.findPaper(repositoryId, { ref: `refs/heads/${name}`, commitId, document })
  return papers.findPaperOfCommit(repositoryId, { commitId, document })
}
