/** An absolute http(s) address without query or fragment, its trailing slash removed; null for anything else. */
export function parseBaseUrl(text: string): string | null {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return null
  const url = new URL(trimmed)
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
