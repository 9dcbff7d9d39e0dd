import type { Build } from '../../domain/build.ts'
import type { Store } from '../../store/store.ts'
import type { PdfStore } from '../cache/pdf-store.ts'

/**
 * Ends a build with the result of an earlier good build of the same tree, document and tools: the hash of the tree is
 * the cache key. Returns the ended build, or null if it has to run.
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
