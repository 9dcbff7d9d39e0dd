/** A host that requires sign-in: every address of every interface, except the sign-in pages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../support/hosts/api-host.ts'
import { everyPage } from '../support/web/every-page.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { runTestGit } from '../support/programs/run-program.ts'
import { sendRequest } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'

/** First segments of public addresses: sign-in pages, their assets, share links. Invitations are public too. */
const open = new Set([
  'login',
  'logout',
  'join',
  'setup',
  'reset',
  'forgot',
  'assets',
  's',
  'favicon.ico',
  'robots.txt',
])

let site: FilledSite

before(async () => {
  site = await openFilledSite({ isSignInRequired: true, name: 'Papers of the institute', contact: 'alice@uni.example' })
})
after(() => site.close())

function isOpen(path: string): boolean {
  return open.has(/^\/([^/?]*)/.exec(path)?.[1] ?? '') || path.startsWith('/settings/invitations/')
}

test('every address redirects anonymous viewers to sign-in, which returns to it', async () => {
  const anonymous = openWebClient(site.origin)
  const paths = everyPage(site)
    .map(({ path }) => path)
    .filter((path) => !/^\/(?:\?|$)/.test(path) && !isOpen(path))
  const differing: string[] = []
  for (const path of [...paths, '/alice/draft', '/alice/nothing', '/no/such/page/here']) {
    const { status, headers } = await anonymous.get(path)
    if (status !== 303 || headers.location !== `/login?next=${encodeURIComponent(path)}`) differing.push(path)
  }
  assert.deepEqual(differing, [])
})

test('sign-in pages, their assets and share links stay public', async () => {
  const anonymous = openWebClient(site.origin)
  const shut: string[] = []
  for (const { path } of everyPage(site).filter(({ path }) => isOpen(path))) {
    const { headers } = await anonymous.get(path)
    if (headers.location === `/login?next=${encodeURIComponent(path)}`) shut.push(path)
  }
  assert.deepEqual(shut, [])
  assert.equal((await anonymous.get(`/s/${site.shareText}/paper.pdf`)).status, 200)
})

test('an invited person without an account reads the invitation, and cannot answer it', async () => {
  const anonymous = openWebClient(site.origin)
  const path = `/settings/invitations/${site.invitationText}`
  const invitation = await anonymous.get(path)
  const answer = await anonymous.submit('/login', path, { answer: 'accept' })
  const statuses = [invitation.status, answer.status, (await anonymous.get('/settings/invitations/unknown')).status]
  assert.deepEqual(statuses, [200, 303, 404])
  assert.equal(answer.headers.location, `/login?next=${encodeURIComponent(path)}`)
  assert.match(invitation.text, /<h1>Invitation to alice\/tides<\/h1>[^]*No account yet\?/)
})

test('/ shows anonymous viewers the host name, sign-in and contact, and no repository', async () => {
  const { status, text } = await openWebClient(site.origin).get('/')
  assert.equal(status, 200)
  assert.match(text, /<h1>Papers of the institute<\/h1>[\s\S]*href="\/login"[\s\S]*alice@uni\.example/)
  assert.doesNotMatch(text, /tides|href="\/(?:search|join)/)
})

test('no shared cache may store responses', async () => {
  const bob = await site.signIn('bob')
  const { headers: named } = await bob.get('/alice/tides/archive/main.zip')
  const ofCommit = `/alice/tides/archive/${String(named['x-texproof-commit'])}.zip`
  const shared: string[] = []
  for (const path of [...everyPage(site).map((page) => page.path), ofCommit]) {
    const { headers } = await bob.get(path)
    if (!isOpen(path) && headers['cache-control']?.includes('public') === true) shared.push(path)
  }
  assert.deepEqual(shared, [])
})

test('a signed-in user reads public repositories', async () => {
  const bob = await site.signIn('bob')
  const paths = ['/', '/alice/tides', '/alice/tides/pdf/main.pdf', '/alice/tides/badge/main.svg', '/docs/api']
  const statuses = await Promise.all(paths.map(async (path) => (await bob.get(path)).status))
  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
})

test('every example on the page of the API sends the token', async () => {
  const bob = await site.signIn('bob')
  const { text } = await bob.get('/docs/api')
  const calls = text.match(/curl [^\n]*\/api\/v3\/[^\n]*/g) ?? []
  assert.deepEqual(
    [calls.length > 9, calls.filter((call) => !call.includes('Authorization: token $TOKEN'))],
    [true, []],
  )
})

test('a page opens with a token, and an invalid token is rejected everywhere', async () => {
  const bob = await site.host.deps.store.users.findByLogin('bob')
  assert.ok(bob)
  const token = await site.host.addToken(bob, [])
  const ask = async (target: string, authorization: string): Promise<number> =>
    (await sendRequest(site.origin, { target, headers: { authorization } })).status
  assert.deepEqual(
    [
      await ask('/alice/tides/pdf/main.pdf', `Bearer ${token}`),
      await ask('/', `Bearer ${token}x`),
      await ask('/search?q=tides', `Bearer ${token}x`),
    ],
    [200, 401, 401],
  )
})

test('git requires a token, for public and missing repositories alike', async () => {
  const ask = (path: string): Promise<number> =>
    sendRequest(site.origin, { target: `/${path}/info/refs?service=git-upload-pack` }).then(({ status }) => status)
  assert.deepEqual([await ask('alice/tides.git'), await ask('alice/nothing.git')], [401, 401])
  const bob = await site.host.deps.store.users.findByLogin('bob')
  assert.ok(bob)
  const url = site.host.gitUrl('alice/tides.git', await site.host.addToken(bob, []))
  assert.match(await runTestGit('/', ['ls-remote', url, 'refs/heads/main']), /refs\/heads\/main$/)
})

test('the API answers anonymous callers as if nothing existed, and others as usual', async (t) => {
  const host = await openApiHost({ isSignInRequired: true })
  t.after(() => host.close())
  const { user, token } = await host.addUser('alice')
  await host.addRepository(user, 'tides', { autoInit: true })
  const targets = ['/users/alice', '/users/alice/repos', '/repos/alice/tides', '/repos/alice/tides/branches', '/user']
  const ask = (asToken: string | undefined): Promise<number[]> =>
    Promise.all(
      targets.map(async (target) => {
        const call = asToken === undefined ? { target } : { target, token: asToken }
        return (await host.call(call)).status
      }),
    )
  assert.deepEqual(await ask(undefined), [404, 404, 404, 404, 401])
  assert.deepEqual(await ask(token), [200, 200, 200, 200, 200])
  assert.deepEqual(await ask('pst_wrong'), [401, 401, 401, 401, 401])
})
