import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { drawPng } from '../support/web/draw-picture.ts'
import type { Color } from '../support/web/draw-picture.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest } from '../support/send-request.ts'
import { formTokenOf, openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const teal: Color = [20, 120, 130, 255]
const picture = drawPng({ width: 300, height: 200 }, teal)

let host: PaperHost
let alice: WebClient
let bob: WebClient

before(async () => {
  host = await openPaperHost()
  for (const login of ['alice', 'bob']) await addTestUser(host.deps.store, { login, password })
  alice = await signIn('alice')
  bob = await signIn('bob')
})
after(() => host.close())

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name, password })
  return client
}

/** Sends a file as a browser's form does. */
async function upload(client: WebClient, file: Buffer, name = 'me.png'): Promise<{ status: number; text: string }> {
  const form = new FormData()
  form.set('form_token', formTokenOf((await client.get('/settings/profile')).text))
  form.set('avatar', new Blob([new Uint8Array(file)], { type: 'image/png' }), name)
  const answer = await fetch(`${host.origin}/settings/profile/avatar`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { origin: host.origin, cookie: [...client.cookies].map((pair) => pair.join('=')).join('; ') },
  })
  return { status: answer.status, text: await answer.text() }
}

async function avatarIdOf(login: string): Promise<string | null> {
  return (await host.deps.store.users.findByLogin(login))?.avatarId ?? null
}

test('an uploaded avatar is shown on the pages, cached forever, and runs nothing', async () => {
  assert.equal((await upload(alice, picture)).status, 303)
  const path = `/assets/avatars/${await avatarIdOf('alice')}`
  assert.ok((await alice.get('/')).text.includes(`src="${path}"`))
  const { status, headers, text } = await openWebClient(host.origin).get(path)
  assert.deepEqual(
    {
      status,
      isWebp: text.startsWith('RIFF'),
      type: headers['content-type'],
      cache: headers['cache-control'],
      sniff: headers['x-content-type-options'],
      policy: headers['content-security-policy'],
    },
    {
      status: 200,
      isWebp: true,
      type: 'image/webp',
      cache: 'public, max-age=31536000, immutable',
      sniff: 'nosniff',
      policy: "default-src 'none'; sandbox",
    },
  )
})

test('an avatar is served until its last user removes it', async () => {
  await upload(alice, picture)
  await upload(bob, picture)
  const path = `/assets/avatars/${await avatarIdOf('bob')}`
  const statuses: number[] = []
  for (const client of [alice, bob]) {
    await client.submit('/settings/profile', '/settings/profile/avatar/remove', {})
    statuses.push((await client.get(path)).status)
  }
  assert.deepEqual([statuses, await avatarIdOf('alice'), await avatarIdOf('bob')], [[200, 404], null, null])
})

test('a new avatar replaces the previous one', async () => {
  await upload(alice, picture)
  const before = await avatarIdOf('alice')
  await upload(alice, drawPng({ width: 20, height: 20 }, [200, 40, 40, 255]))
  assert.notEqual(await avatarIdOf('alice'), before)
  assert.equal((await alice.get(`/assets/avatars/${before}`)).status, 404)
})

test('a rejected avatar is explained, and the previous avatar is kept', async () => {
  await upload(alice, picture)
  const before = await avatarIdOf('alice')
  const markup = await upload(
    alice,
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    'a.png',
  )
  const empty = await upload(alice, Buffer.alloc(0))
  const heavy = await upload(alice, Buffer.concat([picture, Buffer.alloc(1_100_000)]))
  assert.deepEqual([markup.status, empty.status, heavy.status], [422, 422, 422])
  assert.match(markup.text, /This file is not a PNG, JPEG or WebP picture/)
  assert.match(empty.text, /Choose a picture\./)
  assert.match(heavy.text, /larger than 1 MB/)
  assert.equal(await avatarIdOf('alice'), before)
})

test('a form that is too large is rejected with a page', async () => {
  const { status, text } = await upload(alice, Buffer.alloc(3_000_000))
  assert.deepEqual([status, /Nothing was changed/.test(text)], [413, true])
})

test('an avatar cannot be changed by another site or without a session', async () => {
  const anonymous = openWebClient(host.origin)
  await anonymous.get('/login')
  const foreign = await sendRequest(host.origin, {
    method: 'POST',
    target: '/settings/profile/avatar/remove',
    headers: { cookie: [...alice.cookies].map((pair) => pair.join('=')).join('; '), origin: 'https://evil.example' },
  })
  assert.equal(foreign.status, 403)
  const unknown = await anonymous.submit('/login', '/settings/profile/avatar/remove', {})
  assert.deepEqual([unknown.status, unknown.headers.location?.startsWith('/login?')], [303, true])
})

test('an avatar address without a hash is 404', async () => {
  const ids = ['none', 'A'.repeat(64), '0'.repeat(64), '..%2f..%2ftexproof.db', '%00']
  const statuses = await Promise.all(ids.map(async (id) => (await alice.get(`/assets/avatars/${id}`)).status))
  assert.deepEqual(statuses, [404, 404, 404, 404, 404])
})

test('a user without an avatar has colored initials', async () => {
  await bob.submit('/settings/profile', '/settings/profile', { name: 'Bob van der Sample', bio: '' })
  const { text } = await bob.get('/settings/profile')
  assert.match(text, /<svg\s+class="avatar tone-\d"[^>]*>\s*<rect[^>]*>\s*<text[^>]*>BS<\/text>/)
})
