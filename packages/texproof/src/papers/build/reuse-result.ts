import type { Build, NewBuild } from '../../domain/build.ts'
import { startOfDay } from '../../domain/build/document-time.ts'
import type { GitStore } from '../../git/types.ts'
import type { Store } from '../../store/store.ts'
import type { PdfStore } from '../cache/pdf-store.ts'

/**
 * Ends a build with the result of an earlier good build of the same tree, document and tools: the hash of the tree is
 * the cache key. Returns the ended build, or null if it has to run.
 *
 * Any document may print the date of its commit, so the day has to be the same as well. The time of day, which few
 * documents print, can be the date of the other commit.
 */
export async function reuseResult(
  build: Build,
  { store, git, pdfs }: { readonly store: Store; readonly git: GitStore; readonly pdfs: PdfStore },
): Promise<Build | null> {
  const same = await store.builds.findSame(build)
  if (same === null || same.pdfId === null || !(await areOfSameDay(git, build, same))) return null
  if (!(await pdfs.markUsed(same.pdfId))) return null
  const { pdfId, pageCount, errors, warnings, passes } = same
  await store.builds.finish(build.id, { state: 'succeeded', pdfId, pageCount, errors, warnings, passes })
  return store.builds.find(build.id)
}

/** Whether a new build would end with the stored result of another build of its commit. */
export async function hasResult(
  build: NewBuild,
  { store, pdfs }: { readonly store: Store; readonly pdfs: PdfStore },
): Promise<boolean> {
  const same = await store.builds.findSame(build)
  return same?.commitId === build.commitId && same.pdfId !== null && pdfs.has(same.pdfId)
}

/** Compares the commits of two builds of a repository. */
async function areOfSameDay(git: GitStore, build: Build, other: Build): Promise<boolean> {
  if (build.commitId === other.commitId) return true
  const commits = await Promise.all([build, other].map((of) => git.findCommit(of.repositoryId, of.commitId)))
  // A commit that git has removed has no known day.
  const [day, otherDay] = commits.map((commit) => commit && startOfDay(commit.committer.at))
  return day !== null && day === otherDay
}
