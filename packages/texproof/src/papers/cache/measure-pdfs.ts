import type { Store } from '../../store/store.ts'
import type { PdfStore } from './pdf-store.ts'

/** Bytes of a repository's PDFs. A PDF that several builds share counts once. */
export async function measurePdfs(
  repositoryId: number,
  { store, pdfs }: { readonly store: Store; readonly pdfs: PdfStore },
): Promise<number> {
  const ids = await store.builds.listPdfIds(repositoryId)
  let bytes = 0
  for (const id of ids) bytes += await pdfs.measure(id)
  return bytes
}
