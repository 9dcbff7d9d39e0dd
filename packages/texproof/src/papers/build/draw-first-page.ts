import type { Logger } from 'pino'

import { runForClient } from '../../base/client-signal.ts'
import type { Build } from '../../domain/build.ts'
import type { Store } from '../../store/store.ts'
import { pictureWidths, type PictureStore } from '../cache/page-image-store.ts'

/** Draws the first page in the background, so that the repository card is ready for the first viewer. */
export function drawFirstPage(
  { repositoryId }: Build,
  pdfId: string,
  deps: { readonly store: Pick<Store, 'repositories'>; readonly pictures: PictureStore; readonly log: Logger },
): void {
  const { store, pictures, log } = deps
  const draw = async (): Promise<void> => {
    const ownerId = (await store.repositories.findById(repositoryId))?.owner.id ?? ''
    const first = { pdfId, page: 1, widthPx: pictureWidths[0] }
    await pictures.find({ ...first, ownerId, requesterId: ownerId })
  }
  // The client of the request that queued the build does not wait for the image.
  runForClient(new AbortController().signal, draw).catch((error: unknown) => {
    log.warn({ err: error }, 'draw first page')
  })
}
