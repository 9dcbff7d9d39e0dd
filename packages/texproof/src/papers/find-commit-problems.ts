import { LRUCache } from 'lru-cache'

import type { BuildRecord, CommitProblem, CommitProblems } from '../domain/build.ts'
import { mergeProblems } from '../domain/merge-problems.ts'
import type { Store } from '../store/store.ts'

/** A hundred documents of one commit may report thousands of problems each. A page shows no more than this. */
const MAX_PROBLEMS = 5_000

/** Finished builds do not change, so their problems are merged once. */
const merged = new LRUCache<string, readonly CommitProblem[]>({
  maxSize: 50_000,
  sizeCalculation: (problems) => 1 + problems.length,
})

/** The problems that the builds of one commit reported; `builds` = the newest build of each of its documents. */
export async function findCommitProblems(
  { store }: { readonly store: Pick<Store, 'builds'> },
  builds: readonly BuildRecord[],
): Promise<CommitProblems> {
  const reporting = chooseReporting(builds)
  if (reporting.length === 0) return { documentCount: builds.length, problems: [] }
  const key = reporting.map(({ id, repositoryId, finishedAt }) => `${repositoryId}/${id}@${finishedAt}`).join(' ')
  const known = merged.get(key)
  if (known !== undefined) return { documentCount: builds.length, problems: known }
  const reported = await store.builds.listProblems(reporting.map(({ id }) => id))
  const problems = mergeProblems(reporting.map((build) => ({ build, problems: reported.get(build.id) ?? [] })))
  merged.set(key, problems)
  return { documentCount: builds.length, problems }
}

/** Builds whose problems are read, in the order of the documents: those with errors before those with only warnings. */
function chooseReporting(builds: readonly BuildRecord[]): readonly BuildRecord[] {
  const wanted = builds
    .filter(({ errorCount, warningCount }) => errorCount + warningCount > 0)
    .toSorted((left, right) => Number(right.errorCount > 0) - Number(left.errorCount > 0))
  const chosen = new Set<BuildRecord>()
  let count = 0
  for (const build of wanted) {
    count += build.errorCount + build.warningCount
    if (count > MAX_PROBLEMS && chosen.size > 0) break
    chosen.add(build)
  }
  return builds.filter((build) => chosen.has(build))
}
