/** Maximum length of an image in base64. */
const MAX_IMAGE_LENGTH = 2 * 1024 * 1024

/** The first characters of the base64 text of each image type. */
const STARTS = {
  'image/png': 'iVBORw0KGgo',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'image/webp': 'UklGR',
} as const

/**
 * The best image of a MIME bundle as a data URL; null if there is none, if it is too large or not of its type. As the
 * source of an `img`, SVG runs no script and loads nothing.
 */
export function readImage(bundle: Readonly<Record<string, string>>): string | null {
  for (const [type, start] of Object.entries(STARTS)) {
    const data = bundle[type] ?? ''
    if (data.length > MAX_IMAGE_LENGTH) continue
    const base64 = data.replaceAll(/\s/g, '')
    if (base64.startsWith(start) && /^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return `data:${type};base64,${base64}`
  }
  const svg = bundle['image/svg+xml'] ?? ''
  if (!svg.includes('<svg') || svg.length > MAX_IMAGE_LENGTH) return null
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
