/**
 * One range of a `Range` header within `sizeBytes`, both ends inclusive; null = send everything.
 *
 * Several ranges are answered with everything, which RFC 9110 allows and every client takes.
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
