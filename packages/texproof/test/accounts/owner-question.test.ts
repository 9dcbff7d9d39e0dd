/** Reauthentication: required before actions that could lock the owner out, in a browser left signed in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import { openSession } from '../../src/accounts/session/session-cookie.ts'
import type { User } from '../../src/domain/types.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { hashTestPassword } from '../support/hosts/add-test-user.ts'
import { expireReauthentication } from '../support/expire-reauthentication.ts'
import { openBrowser, withoutBrowser as skip } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const tokenForm = { name: 'my <b>laptop</b> & "more"', access: 'write', days: '365' }

let host: PaperHost
let alice: User
let browser: WebClient

before(async () => {
  host = await openPaperHost()
  alice = (await host.addUser('alice')).user
  await host.deps.store.users.setPasswordHash(alice.id, hashTestPassword(password))
  await host.deps.store.users.setAdmin(alice.id, true)
  await host.addUser('bob')
})
beforeEach(async () => void (browser = await browserOf(alice)))
after(() => host.close())

async function browserOf(user: User): Promise<WebClient> {
  const client = openWebClient(host.origin)
  const somewhere = { client: { address: '127.0.0.1', agent: '' }, isRemembered: false }
  client.cookies.set('texproof-session', (await openSession(host.deps.store, user, somewhere)).secret)
  return client
}

/** Fields of the interrupted form, as sent by a browser. */
function hiddenFields({ text }: RawResponse): Record<string, string> {
  const plain = (value: string): string =>
    value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const form = text.slice(text.indexOf('data-passkey-form'))
  return Object.fromEntries(
    [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      plain(value),
    ]),
  )
}

test('a user who has just signed in creates a token with one click', async () => {
  assert.equal((await browser.submit('/settings/tokens/new', '/settings/tokens', tokenForm)).status, 303)
})

test('after 15 minutes the form asks for the password, and continues unchanged', async () => {
  const { store } = host.deps
  await expireReauthentication(store, alice)
  const question = await browser.submit('/settings/tokens/new', '/settings/tokens', tokenForm)
  assert.deepEqual(
    [question.status, question.headers['cache-control'], /Confirm access/.test(question.text)],
    [403, 'no-store', true],
  )
  assert.equal((await store.tokens.listOfUser(alice.id)).filter(({ name }) => name === tokenForm.name).length, 1)
  const { form_token: _, ...kept } = hiddenFields(question)
  assert.deepEqual(kept, tokenForm)
  const wrong = await browser.post('/settings/tokens', { ...hiddenFields(question), owner_proof: 'a guess or two' })
  assert.deepEqual([wrong.status, /Incorrect password or code/.test(wrong.text)], [422, true])
  assert.equal(wrong.text.includes('a guess or two'), false)
  const right = await browser.post('/settings/tokens', { ...hiddenFields(wrong), owner_proof: password })
  assert.equal(right.status, 303)
  const [token] = (await store.tokens.listOfUser(alice.id)).toSorted((left, right) => right.id - left.id)
  assert.deepEqual([token?.name, token?.scopes.length], [tokenForm.name, 1])
})

test('a confirmed session is not asked again for 15 minutes; other sessions are', async (context) => {
  const { store } = host.deps
  const other = await browserOf(alice)
  await expireReauthentication(store, alice)
  const question = await browser.submit('/settings/tokens/new', '/settings/tokens', tokenForm)
  await browser.post('/settings/tokens', { ...hiddenFields(question), owner_proof: password })
  const ask = async (client: WebClient): Promise<number> =>
    (await client.submit('/settings/tokens/new', '/settings/tokens', tokenForm)).status
  assert.deepEqual([await ask(browser), await ask(other)], [303, 403])
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 15 * 60_000 })
  assert.equal(await ask(browser), 403)
})

test('a read-only token is created without confirmation', async () => {
  await expireReauthentication(host.deps.store, alice)
  const answer = await browser.submit('/settings/tokens/new', '/settings/tokens', { ...tokenForm, access: 'read' })
  assert.equal(answer.status, 303)
})

test('every action that locks out the owner or grants rights requires confirmation', async () => {
  const { store } = host.deps
  await expireReauthentication(store, alice)
  const security = '/settings/security'
  const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/settings/tokens', tokenForm],
    ['/settings/profile/email', { email: 'thief@evil.example' }],
    [`${security}/two-factor/start`, {}],
    [`${security}/two-factor/recovery-codes`, {}],
    [`${security}/two-factor/off`, {}],
    [`${security}/passkeys/begin`, {}],
    [`${security}/passkeys/some-key/remove`, {}],
    ['/settings/trash', { remove: '1' }],
    ['/admin/users/bob', { action: 'administrator' }],
    ['/admin/users/bob', { action: 'reset' }],
    ['/admin/users/bob', { action: 'factors' }],
    ['/admin/users/bob', { action: 'disable' }],
  ]
  const answers: (readonly [string, number, boolean])[] = []
  for (const [path, fields] of forms) {
    const { status, text } = await browser.submit('/settings/profile', path, fields)
    answers.push([path, status, /<h1>Confirm access<\/h1>/.test(text)])
  }
  assert.deepEqual(
    answers,
    forms.map(([path]) => [path, 403, true]),
  )
  const [user, bob] = [await store.users.findByLogin('alice'), await store.users.findByLogin('bob')]
  assert.deepEqual([user?.email, bob?.isAdmin, bob?.isDisabled], [null, false, false])
})

test('pages hidden from a user ask for no confirmation', async () => {
  const { user } = await host.addUser('carol')
  const carol = await browserOf(user)
  await expireReauthentication(host.deps.store, user)
  const answer = await carol.submit('/settings/profile', '/admin/users/bob', { action: 'administrator' })
  assert.equal(answer.status, 404)
})

test('the confirmation rejects other sites, and limits guesses', async () => {
  const { user } = await host.addUser('dora')
  await host.deps.store.users.setPasswordHash(user.id, hashTestPassword(password))
  const dora = await browserOf(user)
  await expireReauthentication(host.deps.store, user)
  const foreign = { origin: 'https://evil.example' }
  const fields = { ...tokenForm, owner_proof: password }
  const stolen = await dora.post('/settings/tokens', fields, foreign)
  const options = await dora.post('/settings/security/owner/options', {}, foreign)
  assert.deepEqual([stolen.status, options.status], [403, 403])
  assert.equal((await host.deps.store.sessions.listOfUser(user.id))[0]?.confirmedAt, 0)
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1)
    statuses.push((await dora.submit('/settings/profile', '/settings/tokens', { ...fields, owner_proof: 'x' })).status)
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
})

test('a user of the identity provider gets instructions to confirm', async () => {
  const { user } = await host.addUser('eve')
  const eve = await browserOf(user)
  await expireReauthentication(host.deps.store, user)
  const { status, text } = await eve.submit('/settings/tokens/new', '/settings/tokens', tokenForm)
  assert.deepEqual(
    [status, /Sign in again, then repeat this/.test(text), /action="\/logout"/.test(text)],
    [403, true, true],
  )
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script'
  test(`a user confirms after a typo and gets the token ${how}`, { skip }, async (context) => {
    const chromium = await openBrowser()
    context.after(() => chromium.close())
    const page = await chromium.newPage({ baseURL: host.origin, javaScriptEnabled, bypassCSP: true })
    const cookies = [...browser.cookies].map(([name, value]) => ({ name, value, url: host.origin }))
    await page.context().addCookies(cookies)
    await page.goto('/settings/tokens/new?name=nightly')
    await expireReauthentication(host.deps.store, alice)
    await page.getByRole('button', { name: 'Create token' }).click()
    const barriers = javaScriptEnabled ? [...(await findBarriers(page))] : []
    await page.getByLabel('Your password').fill('nine trees')
    await page.getByRole('button', { name: 'Confirm and continue' }).click()
    await page.getByText('Incorrect password or code').first().waitFor()
    if (javaScriptEnabled) barriers.push(...(await findBarriers(page)))
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Confirm and continue' }).click()
    assert.match(await page.locator('#token').inputValue(), /^pst_/)
    assert.deepEqual(barriers, [])
  })
}
