import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'

/** Cancels the builds of a repository that is disabled or deleted: otherwise, running ones continue. */
export async function stopBuilds(
  { papers, store }: { readonly papers: Pick<Papers, 'stopBuild'>; readonly store: Pick<Store, 'builds'> },
  repositoryId: number,
): Promise<void> {
  const builds = await store.builds.listInProgress(repositoryId)
  await Promise.all(builds.map(({ id }) => papers.stopBuild(id)))
}
