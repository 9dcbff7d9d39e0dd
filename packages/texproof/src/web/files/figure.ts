import { setTimeout as delay } from 'node:timers/promises'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { TooManyWaiting } from '../../base/limiter.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Repository } from '../../domain/types.ts'
import type { Deps } from '../../operations/deps.ts'
import type { FigureKind, FoundFigure } from '../../papers/cache/figure-store.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { figureKind } from '../content/file-kind.ts'
import { NotFound } from '../session/errors.ts'
import { findRequesterId } from '../session/find-caller.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { resolveRefAndPath } from '../shell/repository/resolve-ref.ts'
import { sendFile } from '../shell/response/send-file.ts'
import { untilDrawn } from '../shell/response/send-page-image.ts'
import type { Html } from '../ui/html.ts'

const MAX_FIGURE_BYTES = 32 * 1024 * 1024
/** Longest time that a page waits for an image. */
const WAIT_MS = 8_000

/** A file in a repository as it is shown. */
interface FigurePlace {
  readonly kind: FigureKind
  readonly objectId: string
  readonly repository: Repository
  readonly requesterId: string
  readonly refName: string
  readonly path: string
  readonly rawHref: string
}

/** A figure as an image, or the reason why there is none; both with a link to the file. */
export async function showFigure(deps: Pick<Deps, 'git' | 'papers'>, place: FigurePlace): Promise<Html> {
  const waiting = new AbortController()
  const timeout = delay(WAIT_MS, null, { signal: waiting.signal }).catch(() => null) // The image was ready in time.
  const drawing = findFigure(deps, place)
  const figure = await Promise.race([drawing, timeout])
    .catch(whenBusy)
    .finally(() => waiting.abort())
  if (figure === null || figure === 'busy') {
    drawing.catch(() => {}) // The next request reports the error.
    return html`<p class="notice">
      ${figure === null ? 'The preview is being generated.' : 'Too many previews are being generated.'}
      <a href="?">Reload the page</a> in a moment. ${fileLink(place)}
    </p>`
  }
  return figure.kind === 'failed'
    ? html`<p class="notice">No preview: ${figure.reason}. ${fileLink(place)}</p>`
    : drawnFigure(figure.pageCount, place)
}

function whenBusy(error: unknown): 'busy' {
  if (error instanceof TooManyWaiting) return 'busy'
  throw error
}

function drawnFigure(pageCount: number | null, place: FigurePlace): Html {
  const { repository, refName, path } = place
  const isOneOfMany = pageCount !== null && pageCount > 1
  const src = `${repositoryPath(repository)}/figure/${encodePath(refName)}/${encodePath(path)}`
  return html`<figure class="figure">
    <img src="${src}" alt="${isOneOfMany ? `Page 1 of ${path}` : path}" />
    <figcaption class="quiet">${isOneOfMany ? `Page 1 of ${pageCount}. ` : ''}${fileLink(place)}</figcaption>
  </figure>`
}

function fileLink({ kind, rawHref }: FigurePlace): Html {
  return html`<a href="${rawHref}">${kind === 'pdf' ? 'Open the PDF' : 'Download the file'}</a>`
}

function findFigure(
  { git, papers }: Pick<Deps, 'git' | 'papers'>,
  { repository, requesterId, objectId, kind }: Pick<FigurePlace, 'repository' | 'requesterId' | 'objectId' | 'kind'>,
): Promise<FoundFigure> {
  return papers.findFigure({
    objectId,
    kind,
    ownerId: repository.owner.id,
    requesterId,
    read: () => git.readBlob(repository.id, objectId, { maxBytes: MAX_FIGURE_BYTES }),
  })
}

/** `/{owner}/{repo}/figure/{ref}/{path}`: an EPS, TIFF or PDF figure, or its first page, as PNG. */
export async function sendFigure(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const found = await resolveRefAndPath(deps.git, repository.id, c.req.param('rest') ?? '')
  const file = found && (await findFile(deps.git, repository.id, { commitId: found.ref.commitId, path: found.path }))
  const kind = found && figureKind(found.path)
  if (kind === null || file === null || (file.kind !== 'file' && file.kind !== 'executable'))
    throw new NotFound('Figure not found.')
  const { objectId } = file
  const etag = `"${objectId}-figure"`
  const headers = {
    etag,
    'cache-control': repository.visibility === 'private' ? 'private, no-cache' : 'no-cache',
    'content-type': 'image/png',
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  const requesterId = await findRequesterId(c, deps.store)
  const figure = await untilDrawn(findFigure(deps, { repository, requesterId, objectId, kind }))
  if (figure.kind === 'failed') throw new NotFound(`No preview: ${figure.reason}.`)
  return sendFile(c, figure.file, headers)
}
