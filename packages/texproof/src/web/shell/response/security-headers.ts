import type { MiddlewareHandler } from 'hono'

/**
 * The policy of a page: it runs only scripts of this host and loads nothing from elsewhere. `styleNonce` permits a script of
 * the page to add style elements; null = none.
 */
export function pagePolicy(styleNonce: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self'${styleNonce === null ? '' : ` 'nonce-${styleNonce}'`}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "object-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const PAGE_POLICY = pagePolicy(null)

/** Files pushed by users: displayed, never executed. */
export const USER_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** PDFs: browsers refuse to show one in a sandbox, and a page of this host embeds it. */
export const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** Headers of every response, including errors and 304; a page may replace the policy with a stricter one. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const defaults = {
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding, Authorization, Cookie',
  }
  for (const [name, value] of Object.entries(defaults)) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
}
