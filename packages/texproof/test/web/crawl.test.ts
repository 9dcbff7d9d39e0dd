/**
 * Collects the links of pages that the owner of a private paper sees and requests each as other viewers: private pages
 * must look exactly like missing ones, at every address, with the headers of every response.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openFilledSite, privateWord } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const wantedAddresses = 200
/** Bounds the crawl: pages of history and search link to ever more pages. */
const maxAddresses = 900

let site: FilledSite
let addresses: readonly string[]
/** Pages seen by the owner. */
let seen: ReadonlyMap<string, RawResponse>

before(async () => {
  site = await openFilledSite()
  seen = await crawl(await site.signIn('alice'))
  addresses = [...seen.keys()]
})
after(() => site.close())

test("the owner's pages link to at least 200 addresses, and each of them opens", () => {
  const broken = [...seen].filter(([, { status }]) => status >= 400).map(([path, { status }]) => `${status} ${path}`)
  assert.deepEqual(broken, [])
  assert.ok(addresses.length >= wantedAddresses, `${addresses.length} addresses were found`)
})

test('every response has the security headers', () => {
  const wanted = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  }
  const bare = [...seen].filter(
    ([, { headers }]) =>
      Object.entries(wanted).some(([name, value]) => headers[name] !== value) ||
      !/default-src 'none'/.test(String(headers['content-security-policy'])),
  )
  assert.deepEqual(
    bare.map(([path]) => path),
    [],
  )
})

for (const [viewer, open] of [
  ['an anonymous viewer', async () => openWebClient(site.origin)],
  ['another user', () => site.signIn('bob')],
  ['an expired session', expiredSession],
] as const) {
  test(`every address of a private repository looks missing to ${viewer}`, async () => {
    const client = await open()
    const differing: string[] = []
    for (const path of addresses.filter(isPrivate)) {
      const hidden = await client.get(path)
      const missing = await client.get(inMissingRepository(path))
      if (!isSame(hidden, missing)) differing.push(`${hidden.status} ${path}`)
    }
    assert.deepEqual(differing, [])
  })

  test(`no page shows ${viewer} content of the private repository`, async () => {
    const client = await open()
    const telling: string[] = []
    for (const path of addresses.filter((path) => !isPrivate(path))) {
      const { text } = await client.get(path)
      // The query may be repeated.
      if (text.replaceAll(path, '').includes(privateWord)) telling.push(path)
    }
    assert.deepEqual(telling, [])
  })
}

function isPrivate(path: string): boolean {
  return path.startsWith('/alice/draft')
}

function inMissingRepository(path: string): string {
  return path.replace('/alice/draft', '/alice/nodra')
}

/** A page that requires sign-in redirects to it and returns; compares without that address. */
function isSame(hidden: RawResponse, missing: RawResponse): boolean {
  const words = ({ status, headers, text }: RawResponse): string =>
    [status, headers.location, headers['content-type'], headers['cache-control'], headers.etag, text]
      .join('\n')
      .replaceAll('draft', 'nodra')
      .replaceAll(/name="form_token" value="[^"]+"/g, '')
  return [303, 404, 401].includes(hidden.status) && words(hidden) === words(missing)
}

async function expiredSession(): Promise<WebClient> {
  const client = await site.signIn('alice')
  const kept = new Map(client.cookies)
  await client.submit('/', '/logout', {})
  for (const [name, value] of kept) client.cookies.set(name, value)
  return client
}

async function crawl(client: WebClient): Promise<ReadonlyMap<string, RawResponse>> {
  const found = new Map<string, RawResponse>()
  const queue = ['/', '/alice/draft']
  for (let path = queue.shift(); path !== undefined && found.size < maxAddresses; path = queue.shift()) {
    if (found.has(path)) continue
    const answer = await client.get(path)
    found.set(path, answer)
    const next = answer.headers.location === undefined ? linksOf(answer) : [answer.headers.location]
    for (const link of next) {
      const target = ownPath(link, path)
      if (target !== null && !found.has(target)) queue.push(target)
    }
  }
  return found
}

function linksOf({ headers, text }: RawResponse): string[] {
  if (!String(headers['content-type']).startsWith('text/html')) return []
  const links = [
    ...text.matchAll(/(?:href|src|data|content)="((?:\/|\?|https?:)[^"]*)"/g),
    // GET forms count as links; forms that change something are not sent.
    ...text.matchAll(/<form(?![^>]*method="post")[^>]* action="(\/[^"]*)"/g),
  ]
  return links.map(([, link = '']) => link.replaceAll('&amp;', '&'))
}

/** Path and query of a link of this host; null for other hosts. Pages after the third add nothing new. */
function ownPath(link: string, base: string): string | null {
  const url = new URL(link, new URL(base, site.origin))
  if (url.origin !== site.origin || Number(url.searchParams.get('page') ?? 0) > 3) return null
  return url.pathname + url.search
}
