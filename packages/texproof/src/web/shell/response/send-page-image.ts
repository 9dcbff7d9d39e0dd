import type { Context } from 'hono'

import { TooManyWaiting } from '../../../base/limiter.ts'
import type { Repository } from '../../../domain/types.ts'
import type { Deps } from '../../../operations/deps.ts'
import { NotFound, TooManyRequests } from '../../session/errors.ts'
import { findRequesterId } from '../../session/find-caller.ts'
import { sendFile } from './send-file.ts'

/** Drawing a page takes a fraction of a second. */
const RETRY_S = 5

/**
 * Waits for an image that is drawn in turns of its requester and owner.
 *
 * @throws TooManyRequests if too many of them wait.
 */
export async function untilDrawn<Image>(drawing: Promise<Image>): Promise<Image> {
  try {
    return await drawing
  } catch (error) {
    throw error instanceof TooManyWaiting ? new TooManyRequests(RETRY_S) : error
  }
}

/** Sends an image of a page of a PDF, drawn if necessary. */
export async function sendPageImage(
  c: Context,
  { papers, store }: Pick<Deps, 'papers' | 'store'>,
  image: {
    readonly repository: Repository
    readonly pdfId: string
    readonly page: number
    readonly widthPx: number
    readonly headers: Readonly<Record<string, string>>
  },
): Promise<Response> {
  const { repository, headers, ...picture } = image
  const requesterId = await findRequesterId(c, store)
  const file = await untilDrawn(papers.findPicture({ ...picture, ownerId: repository.owner.id, requesterId }))
  if (file === null) throw new NotFound('This page cannot be rendered.')
  return sendFile(c, file, headers)
}
