import { html } from 'hono/html'

import type { BuildRecord } from '../../../domain/build.ts'
import type { Repository } from '../../../domain/types.ts'
import { picturePath } from '../../../domain/page-urls.ts'
import { pictureWidths } from '../../../papers/cache/page-image-store.ts'
import type { Html } from '../html.ts'

export interface ThumbnailView {
  readonly repository: Repository
  /** Short name of the branch or tag, or a commit id. */
  readonly refName: string
  /** null = the first one. */
  readonly document: string | null
  /** The build of the PDF shown. */
  readonly build: Pick<BuildRecord, 'document' | 'pdfId'>
}

/** The first page of a paper as an image, cached by browsers under the id of the PDF. */
export function paperThumbnail({ repository, refName, document, build }: ThumbnailView): Html {
  const src = picturePath(repository, refName, { document, page: 1, widthPx: pictureWidths[0], pdfId: build.pdfId })
  return html`<img
    class="thumbnail"
    src="${src}"
    width="440"
    height="622"
    loading="lazy"
    alt="First page of ${build.document}.pdf"
  />`
}
