/** A `Content-Disposition` value whose file name works in every client (RFC 6266, RFC 8187). */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const escaped = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return plain === fileName
    ? `${kind}; filename="${plain}"`
    : `${kind}; filename="${plain}"; filename*=UTF-8''${escaped}`
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Whether the client has a file already, by `If-None-Match` or, only without it, `If-Modified-Since` (RFC 9110, 13.1). An
 * invalid date is ignored.
 */
export function isUnmodified(
  header: (name: 'if-none-match' | 'if-modified-since') => string | undefined,
  { etag, modifiedAt }: { readonly etag: string; readonly modifiedAt: number },
): boolean {
  const tags = header('if-none-match')
  if (tags !== undefined)
    return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
  const since = header('if-modified-since') ?? ''
  return HTTP_DATE.test(since) && Math.floor(modifiedAt / 1000) * 1000 <= Date.parse(since)
}

/**
 * One range of a `Range` header within `sizeBytes`, both ends inclusive; null = send everything.
 *
 * Several ranges are answered with the whole file, which RFC 9110 allows and every client accepts.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  if (from === '') {
    const length = Math.min(Number(to), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(from)
  const end = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (to !== '' && Number(to) < start) return null
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
