/** Passkeys in a real browser with a virtual authenticator, and forged requests. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, CDPSession, Page } from 'playwright-core'

import { openPendingSignIn } from '../../src/accounts/second-factor/pending-sign-in.ts'
import { openSession } from '../../src/accounts/session/session-cookie.ts'
import type { User } from '../../src/domain/types.ts'
import { findAsset, scriptPath } from '../../src/web/assets/assets.ts'
import { hashTestPassword } from '../support/hosts/add-test-user.ts'
import { expireReauthentication } from '../support/expire-reauthentication.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const sessionCookie = 'texproof-session'
const path = '/settings/security/passkeys'
const skip = withoutBrowser

let browser: Browser
let host: PaperHost
let home: string
let alice: User

before(async () => {
  if (skip !== false) return
  browser = await openBrowser()
  host = await openNamedHost()
  home = host.deps.config.baseUrl
  alice = (await host.addUser('alice')).user
  await host.deps.store.users.setPasswordHash(alice.id, hashTestPassword(password))
})
beforeEach(async () => void (skip === false && (await host.deps.store.passkeys.removeOfUser(alice.id))))
after(async () => {
  await browser?.close()
  await host?.close()
})

test('a passkey is added after a sign-in, and signs in without a password', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page, 'my laptop')
  await page.context().clearCookies()
  await page.goto('/login?next=/settings/security')
  await page.getByLabel('Keep me signed in').check()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${home}/settings/security`)
  assert.match(await page.locator('main').innerText(), /Signed in: with the passkey my laptop/)
  const session = (await page.context().cookies()).find(({ name }) => name === sessionCookie)
  assert.ok((session?.expires ?? 0) > Date.now() / 1000 + 29 * 86_400)
  await page.goto(path)
  assert.equal(await page.getByRole('row', { name: /^my laptop \d+ s ago \d+ s ago/ }).count(), 1)
})

test('a passkey replaces password and second factor', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  await turnTwoFactorOn(context)
  await page.context().clearCookies()
  await page.goto('/login?next=/settings/security')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${home}/settings/security`)
})

test(
  'a passkey is not added without confirmation, without a name, or twice on one device',
  { skip },
  async (context) => {
    const { page } = await openWindow(context, { isSignedIn: true })
    const problem = page.locator('[data-passkey-problem]')
    await page.goto(path)
    await expireReauthentication(host.deps.store, alice)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await problem.filter({ hasText: 'This page was open for too long. Reload it.' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Confirm access' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Confirm and continue' }).click()
    await page.getByLabel('Name').fill(' ')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Enter a name of at most 100 characters.').first().waitFor()
    await addPasskey(page)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await problem.filter({ hasText: 'This device already has a passkey for this account.' }).waitFor()
    assert.equal((await host.deps.store.passkeys.listOfUser(alice.id)).length, 1)
  },
)

test('a passkey is a second factor after the password', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page, 'my laptop')
  await turnTwoFactorOn(context)
  await page.context().clearCookies()
  await page.goto('/login?next=/settings/security')
  await page.getByLabel('Username').fill('alice')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(`${home}/settings/security`)
  assert.match(await page.locator('main').innerText(), /Signed in: with the password and the passkey my laptop/)
})

test(
  "a second factor requires the user's own passkey, the password, and an unused response",
  { skip },
  async (context) => {
    const { page } = await openWindow(context, { isSignedIn: true })
    await addPasskey(page)
    const { user } = await host.addUser('carol')
    const { secondFactors } = host.deps.store
    await secondFactors.add({ userId: user.id, sealedSecret: '' }, { step: 0, recoveryHashes: ['none'] })
    await turnTwoFactorOn(context)
    const between = async (who: User): Promise<WebClient> => {
      const client = openWebClient(host.origin)
      client.cookies.set('texproof-second-step', (await openPendingSignIn(host.deps.store, who)).secret)
      return client
    }
    const second = (client: WebClient, credential: string): Promise<RawResponse> =>
      client.submit('/login', '/login/second-step', { credential, next: '/' })
    const question = async (client: WebClient): Promise<object> =>
      JSON.parse((await client.submit('/login', '/login/second-step/options', {})).text)
    const carol = await between(user)
    const forged = { ...(await question(carol)), allowCredentials: [] }
    const byAnother = await second(carol, await answer(page, forged))
    const [owner, twin] = [await between(alice), await between(alice)]
    const credential = await answer(page, await question(owner))
    twin.cookies.set('texproof-passkey', owner.cookies.get('texproof-passkey') ?? '')
    const anonymous = openWebClient(host.origin)
    anonymous.cookies.set('texproof-passkey', owner.cookies.get('texproof-passkey') ?? '')
    const statuses = [
      byAnother.status,
      (await second(anonymous, credential)).status,
      (await second(owner, credential)).status,
      (await second(twin, credential)).status,
      (await anonymous.submit('/login', '/login/second-step/options', {})).status,
    ]
    assert.deepEqual(statuses, [401, 401, 303, 401, 404])
  },
)

test('a passkey confirms the user, and the form continues', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  await page.goto('/settings/tokens/new?name=nightly')
  await expireReauthentication(host.deps.store, alice)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  assert.match(await page.locator('#token').inputValue(), /^pst_/)
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script'
  test(`a passkey is renamed by its owner ${how}`, { skip }, async (context) => {
    const { passkeys } = host.deps.store
    await passkeys.add({ id: 'k1', userId: alice.id, name: 'old', publicKey: '', counter: 0, transports: [] })
    const { page } = await openWindow(context, { isSignedIn: true, javaScriptEnabled })
    await page.goto(path)
    await page.getByLabel('Rename old').click()
    await page.getByLabel('New name of old').fill('red key')
    await page.getByRole('button', { name: 'Save name: old' }).click()
    await page.getByRole('row', { name: 'red key' }).waitFor()
    const thief = await clientOf((await host.deps.store.users.findByLogin('bob')) ?? (await host.addUser('bob')).user)
    const stolen = await thief.submit('/settings/profile', `${path}/k1/rename`, { name: 'mine' })
    const owner = await clientOf(alice)
    const wrong = await owner.submit('/settings/profile', `${path}/k1/rename`, { name: ' '.repeat(3) })
    assert.deepEqual([stolen.status, wrong.status, (await passkeys.find('k1'))?.name], [404, 422, 'red key'])
  })
}

test('a cancelled passkey sign-in says so, and the password still works', { skip }, async (context) => {
  const { page, device, deviceId } = await openWindow(context, { isSignedIn: false })
  await device.send('WebAuthn.setUserVerified', { authenticatorId: deviceId, isUserVerified: false })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used: the request was cancelled or timed out.').waitFor()
  await page.getByLabel('Username').fill('alice')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${home}/`)
})

test('a removed passkey and a passkey of a disabled user do not sign in', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page, 'old phone')
  await host.deps.store.users.setDisabled(alice.id, true)
  const whileDisabled = await signIn(page)
  await host.deps.store.users.setDisabled(alice.id, false)
  await page.goto(path)
  await page.getByRole('button', { name: 'Remove old phone' }).click()
  await page.getByText('No passkeys yet.').waitFor()
  assert.deepEqual([whileDisabled.status, (await signIn(page)).status], [401, 401])
})

test('a page at another address than the configured one says where passkeys work', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: false })
  await page.goto(`${home.replace('localhost', 'papers.localhost')}/login`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('Passkeys work at localhost only, and this page is open at papers.localhost.').waitFor()
})

test('an administrator removes lost passkeys and two-factor authentication of a user', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  const { user } = await host.addUser('bob-admin')
  await host.deps.store.users.setAdmin(user.id, true)
  const admin = await clientOf(user)
  const before = await admin.get('/admin/users?q=alice')
  const done = await admin.submit('/admin/users', '/admin/users/alice', { action: 'factors' })
  const after = await admin.get('/admin/users?q=alice')
  const words = /Reset two-factor: alice/
  assert.deepEqual([words.test(before.text), done.status, words.test(after.text)], [true, 303, false])
  assert.equal((await signIn(page)).status, 401)
})

test('a response opens one session, in the browser of its challenge', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  const client = openWebClient(host.origin)
  const question = await ask(client)
  const asked = copyOf(client)
  const credential = await answer(page, question)
  const elsewhere = openWebClient(host.origin)
  await ask(elsewhere)
  const answers = [
    await send(elsewhere, credential),
    await send(client, credential),
    await send(asked, credential),
    await send(openWebClient(host.origin), credential),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 303, 401, 401],
  )
})

test('a challenge expires after five minutes', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  const client = openWebClient(host.origin)
  const credential = await answer(page, await ask(client))
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 5 * 60_000 })
  assert.equal((await send(client, credential)).status, 401)
})

test('a response for another origin is rejected', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  const lookalike = await openNamedHost()
  context.after(() => lookalike.close())
  const client = openWebClient(host.origin)
  const question = await ask(client)
  await page.goto(lookalike.deps.config.baseUrl)
  const stolen = await send(client, await answer(page, question))
  await page.goto(home)
  assert.deepEqual([stolen.status, (await signIn(page)).status], [401, 303])
})

test('a response without user verification is rejected', { skip }, async (context) => {
  const { page, device, deviceId } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page)
  await device.send('WebAuthn.setUserVerified', { authenticatorId: deviceId, isUserVerified: false })
  const client = openWebClient(host.origin)
  const question = { ...(await ask(client)), userVerification: 'discouraged' }
  assert.equal((await send(client, await answer(page, question))).status, 401)
})

test('a passkey whose counter decreased is rejected, and its owner is notified', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await addPasskey(page, 'copied key')
  const [passkey] = await host.deps.store.passkeys.listOfUser(alice.id)
  await host.deps.store.passkeys.setUsed(passkey?.id ?? '', { counter: 10_000, at: Date.now() })
  assert.equal((await signIn(page)).status, 401)
  await page.goto('/settings/security')
  assert.match(await page.locator('main').innerText(), /Refused the passkey: copied key/)
})

test('a passkey cannot be added with the challenge of another user', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: true })
  await page.goto(home)
  const bob = await host.addUser('bob-too')
  const owner = await clientOf(alice)
  const thief = await clientOf(bob.user)
  const options = await owner.submit('/settings/security', `${path}/options`, {})
  const credential = await answer(page, JSON.parse(options.text), 'create')
  thief.cookies.set('texproof-passkey', owner.cookies.get('texproof-passkey') ?? '')
  const stolen = await thief.submit('/settings/security', path, { name: 'key', credential })
  const late = await owner.submit('/settings/security', path, { name: 'key', credential })
  assert.deepEqual([stolen.status, late.status], [422, 422])
  assert.deepEqual(await host.deps.store.passkeys.listOfUser(bob.user.id), [])
  const remove = await thief.submit('/settings/security', `${path}/unknown/remove`, {})
  assert.equal(remove.status, 404)
})

test(
  'a challenge that confirms access adds no passkey to a session that is not confirmed',
  { skip },
  async (context) => {
    const { page } = await openWindow(context, { isSignedIn: true })
    await addPasskey(page)
    const thief = await clientOf(alice)
    await expireReauthentication(host.deps.store, alice)
    const { challenge } = JSON.parse(
      (await thief.submit('/settings/security', '/settings/security/owner/options', {})).text,
    )
    const user = { id: 'YWxpY2U', name: 'alice', displayName: 'alice' }
    const rp = { name: 'Texproof', id: new URL(home).hostname }
    const question = { challenge, user, rp, pubKeyCredParams: [{ type: 'public-key', alg: -7 }] }
    const credential = await answer(page, question, 'create')
    const { status } = await thief.submit('/settings/security', path, { name: 'mine', credential })
    const names = (await host.deps.store.passkeys.listOfUser(alice.id)).map(({ name }) => name)
    assert.deepEqual([status, names], [422, ['this device']])
  },
)

test('a malformed credential is rejected like a wrong one', { skip }, async () => {
  const client = openWebClient(host.origin)
  const nonsense = ['', 'null', '{}', '[[', '{"id":1}', JSON.stringify({ id: 'AA', rawId: 'AA', type: 'public-key' })]
  const forged = {
    id: 'AA',
    rawId: 'AA',
    type: 'public-key',
    response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
  }
  const statuses = []
  for (const credential of [...nonsense, JSON.stringify(forged), 'x'.repeat(100_000)]) {
    await ask(client)
    statuses.push((await send(client, credential)).status)
  }
  assert.deepEqual(
    statuses,
    statuses.map(() => 401),
  )
})

test('without scripts the pages say what passkeys need, and the rest works', { skip }, async (context) => {
  const { page } = await openWindow(context, { isSignedIn: false, javaScriptEnabled: false })
  await page.goto('/login')
  const words = 'Passkeys require JavaScript.'
  assert.match((await page.locator('noscript').textContent()) ?? '', new RegExp(words))
  assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false)
  await page.getByLabel('Username').fill('alice')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.goto(path)
  assert.match((await page.locator('noscript').textContent()) ?? '', new RegExp(words))
  assert.equal(await page.getByRole('button', { name: 'Add passkey' }).isVisible(), false)
})

test('a host without a secure context offers no passkeys, and says why', { skip }, async (context) => {
  const plain = await openPaperHost()
  context.after(() => plain.close())
  const { user } = await plain.addUser('alice')
  const client = await clientOf(user, plain)
  const [login, settings] = [await openWebClient(plain.origin).get('/login'), await client.get(path)]
  assert.deepEqual([/with a passkey/.test(login.text), /over HTTPS only/.test(settings.text)], [false, true])
  const anonymous = openWebClient(plain.origin)
  const answers = [
    await anonymous.submit('/login', '/login/passkey/options', {}),
    await anonymous.submit('/login', '/login/passkey', {}),
    await client.submit(path, `${path}/options`, {}),
    await client.submit(path, path, {}),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 404, 404],
  )
})

test('no passkey form accepts a cross-site request, and challenges are limited', { skip }, async () => {
  const client = openWebClient(host.origin)
  const headers = { origin: 'https://evil.example' }
  const targets = ['/login/passkey', '/login/passkey/options', path, `${path}/options`, `${path}/x/remove`]
  const answers = await Promise.all(targets.map((target) => client.post(target, {}, headers)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  )
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { status, headers: got } = await client.submit('/login', '/login/passkey/options', {})
      return status === 429 && Number(got['retry-after']) > 0 ? 'told to wait' : status
    }),
  )
  assert.ok(statuses.includes('told to wait'))
})

test('the script of passkeys is small', { skip }, () => {
  const { byteLength } = findAsset(scriptPath('passkey'))?.bytes ?? new Uint8Array()
  assert.ok(byteLength > 0 && byteLength <= 4096, `${byteLength} bytes`)
})

/** A host with a name: browsers refuse passkeys for IP addresses. */
function openNamedHost(): Promise<PaperHost> {
  return openPaperHost((port) => ({ baseUrl: `http://localhost:${port}` }))
}

/** Opens a window with a virtual authenticator. */
async function openWindow(
  context: TestContext,
  { isSignedIn, javaScriptEnabled = true }: { readonly isSignedIn: boolean; readonly javaScriptEnabled?: boolean },
): Promise<{ readonly page: Page; readonly device: CDPSession; readonly deviceId: string }> {
  const page = await borrowWindow(browser, context, { baseURL: home, javaScriptEnabled })
  if (isSignedIn) {
    const { cookies } = await clientOf(alice)
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: home })))
  }
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  context.after(() => device.detach())
  return { page, device, deviceId: authenticatorId }
}

async function clientOf(user: User, on: PaperHost = host): Promise<WebClient> {
  const client = openWebClient(on.origin)
  const browserOf = { client: { address: '127.0.0.1', agent: '' }, isRemembered: false }
  client.cookies.set(sessionCookie, (await openSession(on.deps.store, user, browserOf)).secret)
  return client
}

/** Enables two-factor authentication for alice, with a secret that no app stores. */
async function turnTwoFactorOn(context: TestContext): Promise<void> {
  const { secondFactors } = host.deps.store
  await secondFactors.add({ userId: alice.id, sealedSecret: '' }, { step: 0, recoveryHashes: ['none'] })
  context.after(() => secondFactors.remove(alice.id))
}

async function addPasskey(page: Page, name = 'this device'): Promise<void> {
  await page.goto(path)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('row', { name }).waitFor()
}

/** Requests a passkey like the sign-in page. */
async function ask(client: WebClient): Promise<object> {
  return JSON.parse((await client.submit('/login', '/login/passkey/options', {})).text)
}

/** The response of a window's authenticator, whatever page is open. */
function answer(page: Page, question: object, act: 'get' | 'create' = 'get'): Promise<string> {
  const parse = act === 'get' ? 'parseRequestOptionsFromJSON' : 'parseCreationOptionsFromJSON'
  const options = `{ publicKey: PublicKeyCredential.${parse}(${JSON.stringify(question)}) }`
  return page.evaluate(`navigator.credentials.${act}(${options}).then((given) => JSON.stringify(given))`)
}

function send(client: WebClient, credential: string): Promise<RawResponse> {
  return client.submit('/login', '/login/passkey', { credential, next: '/' })
}

/** Challenge and response, with the authenticator of a window. */
async function signIn(page: Page): Promise<RawResponse> {
  const client = openWebClient(host.origin)
  return send(client, await answer(page, await ask(client)))
}

function copyOf(client: WebClient): WebClient {
  const copy = openWebClient(host.origin)
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}
