import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { pictureWidths } from '../../papers/cache/page-image-store.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef } from '../shell/repository/resolve-ref.ts'
import { repositoryCaching } from '../shell/response/repository-caching.ts'
import { sendPageImage } from '../shell/response/send-page-image.ts'

/** `/{owner}/{repo}/picture/{ref}.png?page=1`: an image of a page of the ref's PDF. */
export async function sendPicture(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const name = (c.req.param('rest') ?? '').replace(/\.png$/, '')
  const ref = await resolveRef(deps.git, repository.id, name)
  const paper = ref && (await findRefPaper(deps, repository.id, { ref, document: c.req.query('doc') ?? null }))
  const build = paper?.shown?.build ?? null
  const page = readNumber(c.req.query('page')) ?? 1
  const widthPx = readNumber(c.req.query('width')) ?? pictureWidths[0]
  // Checked first, because each image costs a process.
  if (build === null || build.pdfId === null || page > (build.pageCount ?? 1)) throw new NotFound('Page not found.')
  const etag = `"${build.pdfId.slice(0, 32)}-${page}-${widthPx}"`
  const isForEver = c.req.query('v') === build.pdfId.slice(0, 16)
  const headers = {
    etag,
    'cache-control': repositoryCaching(repository, { isForEver }),
    'content-type': 'image/png',
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  return sendPageImage(c, deps, { repository, pdfId: build.pdfId, page, widthPx, headers })
}

function readNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null
}
