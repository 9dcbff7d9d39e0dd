import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { contentDisposition } from '../shell/response/file-headers.ts'
import { headLength } from '../shell/response/head-length.ts'
import { fileKind, rawContentType } from '../content/file-kind.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRefAndPath } from '../shell/repository/resolve-ref.ts'
import { PDF_POLICY, USER_CONTENT_POLICY } from '../shell/response/security-headers.ts'
import type { RequestLimits } from '../session/limit-requests.ts'

/** Larger files are streamed. */
const MAX_HELD_BYTES = 1024 * 1024

/**
 * `/{owner}/{repo}/raw/{ref}/{path}`: the bytes of a file, with a media type that runs no scripts on this origin. For
 * a symbolic link, they are the path of its target, as on GitHub.
 */
export async function sendRaw(c: Context, deps: Deps & { readonly limits: RequestLimits }): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const found = await resolveRefAndPath(deps.git, repository.id, c.req.param('rest') ?? '')
  const file = found && (await findFile(deps.git, repository.id, { commitId: found.ref.commitId, path: found.path }))
  if (found === null || file === null || file.kind === 'folder' || file.kind === 'submodule')
    throw new NotFound('File not found.')
  const { objectId } = file
  c.header('etag', `"${objectId}"`)
  c.header('cache-control', repository.visibility === 'private' ? 'private, no-cache' : 'no-cache')
  c.header('content-security-policy', USER_CONTENT_POLICY)
  if (c.req.header('if-none-match') === `"${objectId}"`) return c.body(null, 304)
  const bytes = await deps.git.readBlob(repository.id, objectId, { maxBytes: MAX_HELD_BYTES })
  const isLink = file.kind === 'symlink'
  if (bytes === null) return streamRaw(c, deps, { repositoryId: repository.id, objectId, path: found.path, isLink })
  describeRaw(c, { path: found.path, isLink }, bytes)
  return c.body(new Uint8Array(bytes), 200, headLength(c, bytes))
}

async function streamRaw(
  c: Context,
  { git, limits }: Pick<Deps, 'git'> & { readonly limits: RequestLimits },
  { repositoryId, objectId, ...file }: RawFile & { readonly repositoryId: number; readonly objectId: string },
): Promise<Response> {
  const leave = await limits.files.enter(c)
  const opening = git.openBlob(repositoryId, objectId)
  void opening.then((blob) => blob?.ended).then(leave, leave)
  const blob = await opening
  if (blob === null) throw new NotFound('File not found.')
  describeRaw(c, file, blob.head)
  c.header('content-length', String(blob.sizeBytes))
  if (c.req.raw.method !== 'HEAD') return c.body(blob.body)
  await blob.body.cancel()
  return c.body(null)
}

interface RawFile {
  readonly path: string
  /** The name belongs to the link, not to its target, which the bytes are. */
  readonly isLink: boolean
}

/** `bytes`: the first bytes of the file. */
function describeRaw(c: Context, { path, isLink }: RawFile, bytes: Uint8Array): void {
  const kind = isLink ? 'text' : fileKind(path, bytes)
  if (kind === 'pdf') c.header('content-security-policy', PDF_POLICY)
  c.header('content-type', rawContentType(path, kind))
  const name = path.slice(path.lastIndexOf('/') + 1)
  c.header('content-disposition', contentDisposition(kind === 'binary' ? 'attachment' : 'inline', name))
}
