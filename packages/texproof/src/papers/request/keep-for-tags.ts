import type { Build } from '../../domain/build.ts'
import { findDocumentsOfCommit } from '../detect/find-documents-of-commit.ts'
import { isDue, startBuilds, type PapersContext } from './queue-documents.ts'
import { hasResult } from '../build/reuse-result.ts'

const TAGS = 'refs/tags/'

/**
 * Ends a build of each tag at the commit of a build that was requested for a branch or commit, with its result: the PDFs of
 * a tag are kept; the PDFs of the branch are removed later. Only for tags that are not built automatically. A tag that is pushed
 * after the build does the same, see `queueDocuments`.
 */
export async function keepForTags(
  { repositoryId, ref, commitId, treeId, rootFile, document, engine, bibliography, reason }: Build,
  context: PapersContext,
): Promise<void> {
  const { git, store } = context
  if (ref.startsWith(TAGS)) return
  const tags = (await git.listTags(repositoryId)).filter((tag) => tag.commitId === commitId)
  const repository = tags.length === 0 ? null : await store.repositories.findById(repositoryId)
  if (repository === null) return
  const found = await findDocumentsOfCommit(context, repository, commitId)
  if (found.kind !== 'found' || isDue(found.trigger, { ref: TAGS, defaultBranch: repository.defaultBranch })) return
  for (const { name } of tags) {
    const wanted = {
      repositoryId,
      ref: `${TAGS}${name}`,
      commitId,
      treeId,
      rootFile,
      document,
      engine,
      bibliography,
      reason,
    }
    if ((await store.builds.findNewest(repositoryId, wanted)) !== null) continue
    if (!(await hasResult(wanted, context))) return
    const builds = await store.builds.addAll([wanted])
    context.queue.expect(builds.map(({ id }) => id))
    await startBuilds({ branch: { repository, ref: wanted.ref, commitId }, found, builds, isOverLimit: false }, context)
  }
}
