import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { archiveFormats } from '../../git/objects/open-archive.ts'
import type { ArchiveFormat } from '../../git/objects/open-archive.ts'
import type { RequestLimits } from '../session/limit-requests.ts'
import { contentDisposition } from '../shell/response/file-headers.ts'
import { repositoryCaching } from '../shell/response/repository-caching.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef } from '../shell/repository/resolve-ref.ts'
import type { ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { USER_CONTENT_POLICY } from '../shell/response/security-headers.ts'

const CONTENT_TYPES = { zip: 'application/zip', 'tar.gz': 'application/gzip' } as const

/** `/{owner}/{repo}/archive/{ref}.zip` and `.tar.gz`: the files of a branch, a tag or a commit in one folder. */
export async function sendArchive(c: Context, deps: Deps & { readonly limits: RequestLimits }): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const asked = splitFormat(c.req.param('rest') ?? '')
  const ref = asked && (await resolveRef(deps.git, repository.id, asked.refName))
  if (asked === null || ref === null) throw new NotFound('Branch, tag or commit not found.')
  const { format } = asked
  const folder = nameFolder(repository, ref)
  // The top folder is part of the archive. Weak: other versions of git may pack the same files differently.
  const etag = `W/"${ref.commitId}-${encodeURIComponent(folder)}.${format}"`
  const headers = {
    etag,
    'content-type': CONTENT_TYPES[format],
    'content-disposition': contentDisposition('attachment', `${folder}.${format}`),
    'content-security-policy': USER_CONTENT_POLICY,
    'cache-control': repositoryCaching(repository, { isForEver: ref.kind === 'commit' }),
    'x-texproof-commit': ref.commitId,
  }
  if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, headers)
  const leave = await deps.limits.archives.enter(c)
  const opening = deps.git.openArchive(repository.id, { commitId: ref.commitId, format, folder })
  void opening.then((archive) => archive?.ended).then(leave, leave)
  const archive = await opening
  if (archive === null)
    throw new NotFound('This version has too many files for an archive. Clone the repository instead.', {
      title: 'Archive not available',
    })
  return c.body(archive.body, 200, headers)
}

function splitFormat(rest: string): { readonly refName: string; readonly format: ArchiveFormat } | null {
  const format = archiveFormats.find((each) => rest.endsWith(`.${each}`))
  return format === undefined ? null : { refName: rest.slice(0, -format.length - 1), format }
}

/** `tides-v1`; characters that are invalid in file names of some system become hyphens. */
function nameFolder({ name }: ViewedRepository, ref: ResolvedRef): string {
  const version = ref.kind === 'commit' ? ref.name.slice(0, 10) : ref.name
  return `${name}-${version.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')}`
}

function isKnown(header: string | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '')
  return header?.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag)) ?? false
}
