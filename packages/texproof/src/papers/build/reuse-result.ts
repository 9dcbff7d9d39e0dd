import type { Build } from '../../domain/build.ts'
import type { Store } from '../../store/store.ts'
import type { PdfStore } from '../cache/pdf-store.ts'

/**
 * Ends a build with the result of an earlier one, when there is a good one of the same tree, document and tools: the
 * tree's hash is the cache key. Answers the ended build, or null when it has to run.
 */
export async function reuseResult(
  build: Build,
  { store, pdfs }: { readonly store: Store; readonly pdfs: PdfStore },
): Promise<Build | null> {
  const same = await store.builds.findSame(build)
  if (same === null || same.pdfId === null || !(await pdfs.markUsed(same.pdfId))) return null
  const { pdfId, pageCount, errors, warnings, passes } = same
  await store.builds.finish(build.id, { state: 'succeeded', pdfId, pageCount, errors, warnings, passes })
  return store.builds.find(build.id)
}
