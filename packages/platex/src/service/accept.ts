/** True if the client prefers a PDF to JSON. */
export function prefersPdf(headers: Headers): boolean {
  const accepted = parseQualities(headers.get('accept'))
  const pdf = accepted.get('application/pdf') ?? 0
  return pdf > 0 && pdf > (accepted.get('application/json') ?? 0)
}

/** True if the client prefers an event stream to JSON. */
export function prefersEventStream(headers: Headers): boolean {
  const accepted = parseQualities(headers.get('accept'))
  const stream = accepted.get('text/event-stream') ?? 0
  return stream > 0 && stream > (accepted.get('application/json') ?? 0)
}

/** True if the client accepts `Content-Encoding: gzip`. */
export function acceptsGzip(headers: Headers): boolean {
  const accepted = parseQualities(headers.get('accept-encoding'))
  return (accepted.get('gzip') ?? accepted.get('*') ?? 0) > 0
}

/** Parses `a;q=0.5, b` to a map with lower-case keys: a → 0.5, b → 1. */
function parseQualities(header: string | null): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    if (name !== '') qualities.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return qualities
}
