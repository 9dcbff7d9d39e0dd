/** Whether an `Accept-Encoding` header allows gzip: `gzip;q=0` forbids it. */
export function acceptsGzip(header: string | null | undefined): boolean {
  const qualities = new Map((header ?? '').toLowerCase().split(',').map(parseItem))
  return (qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0) > 0
}

/** Parses `gzip;q=0.5` to name and quality; an invalid quality counts as 0. */
function parseItem(item: string): readonly [name: string, quality: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const quality = parameters
    .map((parameter) => /^q\s*=\s*(.*)$/.exec(parameter)?.[1])
    .find((text) => text !== undefined)
  return [name, quality === undefined ? 1 : Number(quality) || 0]
}
