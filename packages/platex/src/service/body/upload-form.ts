import { RequestFault } from '../wire/request-fault.ts'

/** A body other than JSON: an archive of a project, or a form. */
export type UploadForm =
  /** Tar, optionally compressed with gzip; the settings are in the query of the URL. */
  | { readonly kind: 'tar'; readonly query: string }
  | { readonly kind: 'multipart'; readonly contentType: string; readonly boundary: string }

const TAR_TYPES = new Set(['application/x-tar', 'application/tar', 'application/gzip', 'application/x-gzip'])

/**
 * The upload form declared by the content type of a request; null for everything that is parsed as JSON.
 *
 * @throws RequestFault 400 for a form without a boundary.
 */
export function uploadFormOf(request: Request): UploadForm | null {
  const contentType = request.headers.get('content-type') ?? ''
  const [type = ''] = contentType.toLowerCase().split(';')
  if (TAR_TYPES.has(type.trim())) return { kind: 'tar', query: new URL(request.url).search }
  if (type.trim() !== 'multipart/form-data') return null
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary !== undefined) return { kind: 'multipart', contentType, boundary }
  throw new RequestFault('The Content-Type of a form must contain its boundary: multipart/form-data; boundary=…', {
    status: 400,
    code: 'invalid_request',
  })
}
