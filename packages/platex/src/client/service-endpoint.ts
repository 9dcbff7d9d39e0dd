import { invalidInput } from '../options/invalid-input.ts'

/**
 * The URL of an endpoint of a service. Keeps path prefix, trailing slash and query of the service URL.
 *
 * In browsers, the service URL may be relative to the page.
 *
 * @throws CompileInputError if it is not an http or https URL.
 */
export function serviceEndpoint(serviceUrl: string, path: '/compile' | '/health'): URL {
  const base = pageAddress()
  if (typeof serviceUrl !== 'string' || !URL.canParse(serviceUrl, base))
    throw invalidInput('serviceUrl', 'is not a URL')
  const url = new URL(serviceUrl, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalidInput('serviceUrl', 'must start with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw invalidInput('serviceUrl', 'must not contain a password: use apiKey or headers')
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  url.hash = ''
  return url
}

function pageAddress(): string | undefined {
  const location: unknown = Reflect.get(globalThis, 'location')
  const isLocation = typeof location === 'object' && location !== null && 'href' in location
  return isLocation && typeof location.href === 'string' ? location.href : undefined
}
