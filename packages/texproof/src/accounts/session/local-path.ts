/**
 * Where to redirect after signing in: a path of this host, or `/`. Anything that a browser could read as another host
 * is refused.
 */
export function localPath(text: string | undefined): string {
  if (text === undefined || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.includes('\\')) return '/'
  const base = 'http://here.invalid'
  const url = URL.canParse(text, base) ? new URL(text, base) : null
  if (url === null || url.origin !== base || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}`
}
