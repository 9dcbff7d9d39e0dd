import type { Context } from 'hono'

import type { Deps } from '../../deps.ts'
import { contentDisposition } from '../content/content-disposition.ts'
import { fileKind, rawContentType } from '../content/file-kind.ts'
import { findFile } from '../../operations/find-file.ts'
import { findViewedRepository } from '../find/find-viewed-repository.ts'
import { NotFound } from '../answer/not-found.ts'
import { resolveRefAndPath } from '../find/resolve-ref.ts'
import { PDF_POLICY, USER_CONTENT_POLICY } from '../answer/security-headers.ts'

const MAX_RAW_BYTES = 64 * 1024 * 1024

/** `/{owner}/{repo}/raw/{ref}/{path}`: the bytes of a file, as a type that cannot run on our origin. */
export async function sendRaw(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const found = await resolveRefAndPath(deps.git, repository.id, c.req.param('rest') ?? '')
  const file = found && (await findFile(deps.git, repository.id, { commitId: found.ref.commitId, path: found.path }))
  if (found === null || file === null || (file.kind !== 'file' && file.kind !== 'executable'))
    throw new NotFound('No such file.')
  const etag = `"${file.objectId}"`
  const headers = {
    etag,
    'cache-control': repository.visibility === 'private' ? 'private, no-cache' : 'no-cache',
    'content-security-policy': USER_CONTENT_POLICY,
  }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  const bytes = await deps.git.readBlob(repository.id, file.objectId, { maxBytes: MAX_RAW_BYTES })
  if (bytes === null)
    throw new NotFound('This file is too large to send over the web. Clone the repository to have it.')
  const kind = fileKind(found.path, bytes)
  return c.body(new Uint8Array(bytes), 200, {
    ...headers,
    ...(kind === 'pdf' ? { 'content-security-policy': PDF_POLICY } : {}),
    'content-type': rawContentType(found.path, kind),
    'content-disposition': contentDisposition(kind === 'binary' ? 'attachment' : 'inline', file.name),
  })
}
