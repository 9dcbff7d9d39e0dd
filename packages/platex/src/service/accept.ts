/** True if the client prefers a PDF to JSON. */
export function prefersPdf(headers: Headers): boolean {
  return prefersToJson(headers, 'application/pdf')
}

/** True if the client prefers an event stream to JSON. */
export function prefersEventStream(headers: Headers): boolean {
  return prefersToJson(headers, 'text/event-stream')
}

/** A type that is named comes before JSON that only a wildcard of the same quality allows. */
function prefersToJson(headers: Headers, type: string): boolean {
  const accepted = parseQualities(headers.get('accept'))
  const quality = accepted.get(type) ?? 0
  const json = accepted.get('application/json')
  const wildcard = accepted.get('application/*') ?? accepted.get('*/*') ?? 0
  return quality > 0 && (json === undefined ? quality >= wildcard : quality > json)
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
