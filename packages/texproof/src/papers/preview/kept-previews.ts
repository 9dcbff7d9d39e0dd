import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Build } from '../../domain/build.ts'

const MAX_KEPT_BYTES = 128_000_000
/** One user cannot replace the previews of all others. */
const MAX_DOCUMENTS_OF_USER = 8

/** A document that a user edits. */
interface EditedDocument {
  readonly userId: string
  readonly build: Pick<Build, 'repositoryId' | 'ref' | 'rootFile'>
}

/** The address of a PDF that a user has previewed. */
export interface PreviewAddress {
  readonly userId: string
  readonly repositoryId: number
  readonly previewId: string
}

/** SyncTeX data of a preview. */
export interface KeptSynctex {
  readonly bytes: Uint8Array
  /** Differs for every compile: an edit can move lines without a change of the PDF. */
  readonly key: string
  readonly ownerId: string
  /** Paths that the preview was compiled from. */
  readonly paths: ReadonlySet<string>
}

/** The last preview of a document by a user. */
interface KeptPreview {
  readonly userId: string
  readonly repositoryId: number
  readonly previewId: string | null
  readonly pdf: Uint8Array | null
  /** SyncTeX data of `pdf`. */
  readonly synctex: KeptSynctex | null
  /** The edited page of a later compile. */
  readonly page: { readonly previewId: string; readonly pdf: Uint8Array } | null
}

/** The newest preview of each document and user, in memory. */
export interface KeptPreviews {
  has(document: EditedDocument): boolean
  /** Keeps the edited page beside the last PDF, and returns its id. */
  keepPage(document: EditedDocument, pdf: Uint8Array): string
  /** Keeps the result of a compile; without a PDF, the last one stays. */
  keepResult(
    document: EditedDocument,
    result: { readonly pdf: Uint8Array | null; readonly synctex: KeptSynctex | null },
  ): { readonly previewId: string | null; readonly previousId: string | null }
  findPdf(address: PreviewAddress): Uint8Array | null
  findSynctex(address: PreviewAddress): KeptSynctex | null
}

export function keepPreviews(): KeptPreviews {
  const kept = new LRUCache<string, KeptPreview>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: sizeOf })
  const keep = (
    document: EditedDocument,
    preview: Pick<KeptPreview, 'previewId' | 'pdf' | 'synctex' | 'page'>,
  ): void => {
    const { userId, build } = document
    kept.set(nameOfDocument(document), { userId, repositoryId: build.repositoryId, ...preview })
    // Last used first.
    const own = [...kept.entries()].filter(([, other]) => other.userId === userId)
    for (const [name] of own.slice(MAX_DOCUMENTS_OF_USER)) kept.delete(name)
  }
  const find = ({ userId, repositoryId, previewId }: PreviewAddress): KeptPreview | undefined =>
    kept.find(
      (preview) =>
        preview.userId === userId &&
        preview.repositoryId === repositoryId &&
        (preview.previewId === previewId || preview.page?.previewId === previewId),
    )
  return {
    has: (document) => kept.has(nameOfDocument(document)),
    keepPage(document, pdf) {
      const previewId = idOf(document, pdf)
      const last = kept.get(nameOfDocument(document)) ?? { previewId: null, pdf: null, synctex: null }
      keep(document, { ...last, page: { previewId, pdf } })
      return previewId
    },
    keepResult(document, { pdf, synctex }) {
      const last = kept.get(nameOfDocument(document))
      const previewId = pdf === null ? null : idOf(document, pdf)
      keep(document, {
        previewId: previewId ?? last?.previewId ?? null,
        pdf: pdf ?? last?.pdf ?? null,
        synctex: pdf === null ? (last?.synctex ?? null) : synctex,
        page: null,
      })
      return { previewId, previousId: last?.previewId ?? null }
    },
    findPdf(address) {
      const preview = find(address)
      if (preview?.previewId === address.previewId) return preview.pdf
      return preview?.page?.previewId === address.previewId ? preview.page.pdf : null
    },
    findSynctex(address) {
      const preview = find(address)
      return preview?.previewId === address.previewId ? preview.synctex : null
    },
  }
}

/** Names a document of a branch and the user who previews it. */
export function nameOfDocument({ userId, build: { repositoryId, ref, rootFile } }: EditedDocument): string {
  return JSON.stringify([userId, repositoryId, ref, rootFile])
}

function sizeOf({ pdf, synctex, page }: KeptPreview): number {
  return 1_000 + (pdf?.byteLength ?? 0) + (synctex?.bytes.byteLength ?? 0) + (page?.pdf.byteLength ?? 0)
}

/** Equal PDFs of two documents have different SyncTeX data. */
function idOf(document: EditedDocument, pdf: Uint8Array): string {
  return createHash('sha256').update(nameOfDocument(document)).update(pdf).digest('hex')
}
