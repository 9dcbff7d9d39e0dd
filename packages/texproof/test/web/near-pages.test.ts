/** Missing addresses within a repository, and their suggestions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

let site: FilledSite
let anonymous: WebClient

before(async () => {
  site = await openFilledSite()
  const checkout = await site.host.makeCheckout(await urlOfTides(), { 'old.tex': 'Old.\n' })
  await checkout.git('push', 'origin', 'main:refs/heads/rewrite')
  anonymous = openWebClient(site.origin)
})
after(() => site.close())

async function urlOfTides(): Promise<string> {
  const alice = await site.host.deps.store.users.findByLogin('alice')
  assert.ok(alice)
  return site.host.gitUrl('alice/tides.git', await site.host.addToken(alice, ['repo:write']))
}

/** Status, and the addresses that the page suggests. */
async function near(path: string): Promise<readonly [status: number, ...hrefs: string[]]> {
  const { status, text } = await anonymous.get(path)
  const list = /Did you mean:<\/p>\s*<ul>([\s\S]*?)<\/ul>/.exec(text)?.[1] ?? ''
  return [status, ...[...list.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)]
}

test('a path missing on a branch is suggested on the default branch', async () => {
  assert.deepEqual(await near('/alice/tides/blob/rewrite/sections/intro.tex'), [
    404,
    '/alice/tides/blob/main/sections/intro.tex',
    '/alice/tides/tree/rewrite',
  ])
  assert.deepEqual(await near('/alice/tides/raw/rewrite/refs.bib'), [
    404,
    '/alice/tides/raw/main/refs.bib',
    '/alice/tides/tree/rewrite',
  ])
})

test('a typo in a path suggests the file meant', async () => {
  assert.deepEqual(await near('/alice/tides/blob/main/sections/into.tex'), [
    404,
    '/alice/tides/blob/main/sections/intro.tex',
    '/alice/tides/tree/main',
  ])
})

test('a typo in a branch suggests the branch meant, with the path if it exists', async () => {
  assert.deepEqual(await near('/alice/tides/tree/mian'), [404, '/alice/tides/tree/main'])
  assert.deepEqual(await near('/alice/tides/blob/maim/main.tex'), [404, '/alice/tides/blob/main/main.tex'])
  assert.deepEqual(await near('/alice/tides/commits/featur/a'), [404, '/alice/tides/commits/feature/a'])
  assert.deepEqual(await near('/alice/tides/pdf/mian'), [404, '/alice/tides/pdf/main'])
})

test('an unknown ref suggests the path on the default branch', async () => {
  assert.deepEqual(await near('/alice/tides/blob/0123456789abcdef/main.tex'), [404, '/alice/tides/blob/main/main.tex'])
})

test('nothing is suggested without a near match or within a hidden repository', async () => {
  const hidden = await anonymous.get('/alice/draft/tree/mian')
  const missing = await anonymous.get('/alice/nodra/tree/mian')
  assert.deepEqual(await near('/alice/tides/tree/something-else-entirely'), [404])
  assert.deepEqual(await near('/alice/tides/tree/%zz'), [404])
  assert.deepEqual(await near('/alice/draft/tree/mian'), [404])
  assert.equal(hidden.text, missing.text)
})

/** Status and target of a redirect. */
async function redirectOf(path: string): Promise<readonly [status: number, location: string | undefined]> {
  const { status, headers } = await anonymous.get(path)
  return [status, headers.location]
}

test('an address with a slash at the end redirects to the one without, whether or not the page exists', async () => {
  const paths = ['/alice', '/alice/tides', '/alice/tides/branches', '/alice/tides/pdf/main', '/alice/draft', '/login']
  assert.deepEqual(
    await Promise.all(paths.map((path) => redirectOf(`${path}/?q=a%2Fb`))),
    paths.map((path) => [301, `${path}?q=a%2Fb`]),
  )
})

test('a slash at the end never redirects to another host', async () => {
  const paths = ['//evil.example/', '/.//evil.example/', '/x/..//evil.example/', '///evil.example/', '//']
  assert.deepEqual(
    await Promise.all(paths.map(redirectOf)),
    paths.map(() => [404, undefined]),
  )
  assert.deepEqual(await redirectOf('/%5Cevil.example/'), [301, '/%5Cevil.example'])
})

test('GET /{owner}/{repo}/pdf redirects to the PDF of the default branch', async () => {
  assert.deepEqual(
    await Promise.all(['/alice/tides/pdf', '/alice/tides/pdf?doc=a%20b', '/alice/draft/pdf'].map(redirectOf)),
    [
      [302, '/alice/tides/pdf/main'],
      [302, '/alice/tides/pdf/main?doc=a%20b'],
      [404, undefined],
    ],
  )
})

test('a comparison with two dots redirects to three', async () => {
  assert.deepEqual(await redirectOf('/alice/tides/compare/v1..feature/a?view=split'), [
    302,
    '/alice/tides/compare/v1...feature/a?view=split',
  ])
})

test('the 404 page links to sign-in, back to the page, and to search', async () => {
  const { status, text } = await anonymous.get('/alice/nodra')
  assert.equal(status, 404)
  assert.match(text, /This page does not exist, or it is private\. Sign in to see private pages\./)
  assert.match(text, /href="\/login"/)
  const from = async (referer: string): Promise<string | undefined> => {
    const answer = await fetch(`${site.origin}/login`, { headers: { referer } })
    return /name="next" value="([^"]*)"/.exec(await answer.text())?.[1]
  }
  const places = ['/alice/nodra?a=b', '/login?next=/x', '/reset?code=x', '//elsewhere.example/'].map(
    (path) => site.origin + path,
  )
  assert.deepEqual(await Promise.all([...places, 'https://elsewhere.example/alice', 'x'].map(from)), [
    '/alice/nodra?a=b',
    '/',
    '/',
    '/',
    '/',
    '/',
  ])
})

test('a missing commit or branch leads back to its repository', async () => {
  const links = async (path: string): Promise<string> =>
    /<p class="actions">([\s\S]*?)<\/p>/.exec((await anonymous.get(path)).text)?.[1] ?? ''
  for (const path of ['/alice/tides/commit/abcdef0', '/alice/tides/tree/nothing-like-it'])
    assert.match(await links(path), /<a href="\/alice\/tides">alice\/tides<\/a>/)
  assert.doesNotMatch(await links('/alice/draft/tree/main'), /draft/)
})

test('an address that only receives forms redirects to the page above it', async () => {
  const paths = ['/alice/tides/settings/details', '/alice/tides/star', '/admin/users/invite', '/none/none/star']
  const answers = await Promise.all(paths.map((path) => fetch(site.origin + path, { redirect: 'manual' })))
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('location')]),
    ['/alice/tides/settings', '/alice/tides', '/admin/users', '/none/none'].map((parent) => [302, parent]),
  )
})
