import { createHash } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import type { Build } from '../../domain/build.ts'

const MAX_KEPT_BYTES = 128_000_000

/** A document that a user edits. */
interface EditedDocument {
  readonly userId: string
  readonly build: Pick<Build, 'repositoryId' | 'rootFile'>
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

/** The last preview of a user. */
interface KeptPreview {
  readonly repositoryId: number
  readonly rootFile: string
  readonly previewId: string | null
  readonly pdf: Uint8Array | null
  /** Of `pdf`. */
  readonly synctex: KeptSynctex | null
  /** The edited page of a later compile. */
  readonly page: { readonly previewId: string; readonly pdf: Uint8Array } | null
}

/** The newest preview of each user, in memory. */
export interface KeptPreviews {
  /** Whether the last preview of the user was of the same document. */
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
  const findLast = ({ userId, build }: EditedDocument): KeptPreview | null => {
    const last = kept.get(userId)
    return last?.repositoryId === build.repositoryId && last.rootFile === build.rootFile ? last : null
  }
  const find = ({ userId, repositoryId }: PreviewAddress): KeptPreview | null => {
    const preview = kept.get(userId)
    return preview?.repositoryId === repositoryId ? preview : null
  }
  return {
    has: (document) => findLast(document) !== null,
    keepPage(document, pdf) {
      const { repositoryId, rootFile } = document.build
      const previewId = digest(pdf)
      const last = findLast(document) ?? { repositoryId, rootFile, previewId: null, pdf: null, synctex: null }
      kept.set(document.userId, { ...last, page: { previewId, pdf } })
      return previewId
    },
    keepResult(document, { pdf, synctex }) {
      const { repositoryId, rootFile } = document.build
      const last = findLast(document)
      const previewId = pdf === null ? null : digest(pdf)
      kept.set(document.userId, {
        repositoryId,
        rootFile,
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

function sizeOf({ pdf, synctex, page }: KeptPreview): number {
  return 1_000 + (pdf?.byteLength ?? 0) + (synctex?.bytes.byteLength ?? 0) + (page?.pdf.byteLength ?? 0)
}

function digest(pdf: Uint8Array): string {
  return createHash('sha256').update(pdf).digest('hex')
}
