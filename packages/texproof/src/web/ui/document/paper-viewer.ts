import { html } from 'hono/html'

import type { Repository } from '../../../domain/types.ts'
import { encodePath, pdfFilePath, picturePath, repositoryPath } from '../../../domain/page-urls.ts'
import { pictureWidths } from '../../../papers/cache/page-image-store.ts'
import type { Paper } from '../../../papers/types.ts'
import type { Html } from '../html.ts'
import { pdfViewer } from './pdf-viewer.ts'
import type { ViewerSlots } from './pdf-viewer.ts'

/** The viewer with the PDF that a branch, tag or commit shows. */
export function paperViewer(
  { documents, document, shown }: Paper,
  { repository, refName }: { readonly repository: Repository; readonly refName: string },
  slots: ViewerSlots = {},
): Html {
  const doc = documents.length > 1 ? document : null
  const query = doc === null ? '' : `?doc=${encodeURIComponent(doc)}`
  return html`${pdfViewer(
    {
      isEmpty: shown === null,
      fileHref: pdfFilePath(repository, refName, doc),
      pdfId: shown?.build.pdfId ?? '',
      pageCount: shown?.build.pageCount ?? null,
      label: `${document}.pdf`,
      synctexHref: `${repositoryPath(repository)}/synctex/${encodePath(refName)}${query}`,
      pictureHref: (page) =>
        picturePath(repository, refName, {
          document: doc,
          page,
          widthPx: pictureWidths[1],
          pdfId: shown?.build.pdfId ?? null,
        }),
    },
    slots,
  )}`
}
