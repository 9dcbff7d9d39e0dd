/** Sign-in with a password and a code, by a user without script and by an attacker. */
import assert from 'node:assert/strict'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { Secret, TOTP } from 'otpauth'

import { setUserDisabled } from '../../src/accounts/users/administer-user.ts'
import { openPendingSignIn } from '../../src/accounts/second-factor/pending-sign-in.ts'
import { offerSecret, turnSecondFactorOn } from '../../src/accounts/second-factor/set-second-factor.ts'
import { findSession, openSession } from '../../src/accounts/session/session-cookie.ts'
import { makeResetCode } from '../../src/accounts/credentials/reset-password.ts'
import { sealingKeyFile } from '../../src/base/sealing/sealing-key.ts'
import type { User } from '../../src/domain/types.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { hashTestPassword } from '../support/hosts/add-test-user.ts'
import { expireReauthentication } from '../support/expire-reauthentication.ts'
import { openBrowser, withoutBrowser as skip } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const sessionCookie = 'texproof-session'
const pendingCookie = 'texproof-second-step'
const somewhere = { address: '127.0.0.1', agent: '' }
const path = '/settings/security/two-factor'

/** A host on which alice has turned on two-factor authentication, and her signed-in browser. */
interface GuardedHost {
  readonly host: PaperHost
  readonly alice: User
  /** Secret in base32. */
  readonly secret: string
  /** The code with which it was turned on. */
  readonly usedCode: string
  readonly recoveryCodes: readonly string[]
  readonly browser: WebClient
}

test('two-factor authentication starts with a valid code, and shows ten recovery codes once', async (context) => {
  const { host, browser } = await hostOfAlice(context)
  const started = await browser.submit(path, `${path}/start`, {})
  const secret = secretOf(started)
  assert.match(started.text, /<svg\s+class="qr-code"[^>]*\srole="img"\s+aria-label="QR code of the key below"/)
  const wrong = await browser.post(`${path}/confirm`, { ...hiddenFields(started), code: '000000' })
  assert.deepEqual([started.status, wrong.status, secretOf(wrong)], [200, 422, secret])
  assert.match((await browser.get('/settings/security')).text, /Off: signing in requires no code/)
  const right = await browser.post(`${path}/confirm`, { ...hiddenFields(wrong), code: codeOf(secret, 0) })
  assert.deepEqual([right.status, recoveryCodesOf(right).length, right.headers['cache-control']], [200, 10, 'no-store'])
  const after = await browser.get(path)
  assert.match(after.text, /10 of 10 are left/)
  assert.equal(after.text.includes(recoveryCodesOf(right)[0] ?? ''), false)
  assert.match((await browser.get('/settings/security')).text, /Turned two-factor on/)
  assert.equal(host.logged().includes(secret), false)
})

test('two-factor authentication requires confirmation, and setup works in its own session only', async (context) => {
  const { host, alice, browser } = await hostOfAlice(context)
  await expireReauthentication(host.deps.store, alice)
  const wrong = await browser.submit(path, `${path}/start`, { owner_proof: 'x' })
  assert.deepEqual([wrong.status, wrong.text.includes('qr-code')], [422, false])
  const started = await browser.submit(path, `${path}/start`, { owner_proof: password })
  const other = await typePassword(host)
  const { sealed = '' } = hiddenFields(started)
  const answer = await other.submit(path, `${path}/confirm`, {
    sealed,
    code: codeOf(secretOf(started), 0),
  })
  const forged = await browser.submit(path, `${path}/confirm`, {
    sealed: `A${sealed}`,
    code: codeOf(secretOf(started), 0),
  })
  assert.deepEqual([answer.status, forged.status], [422, 422])
  assert.match((await browser.get(path)).text, /Off\. With two-factor/)
})

test('the password alone opens no session; the code opens one and redirects back', async (context) => {
  const { host, secret } = await guardedHost(context)
  const browser = openWebClient(host.origin)
  const first = await browser.submit('/login', '/login', {
    name: 'alice',
    password,
    next: '/alice/secret?x=1',
    remember: 'yes',
  })
  const second = first.headers.location ?? ''
  assert.deepEqual(
    [first.status, second, browser.cookies.has(sessionCookie), (await browser.get('/alice/secret')).status],
    [303, '/login/second-step?next=%2Falice%2Fsecret%3Fx%3D1&remember=yes', false, 404],
  )
  assert.match(
    String(first.headers['set-cookie']),
    /^texproof-second-step=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const page = await browser.get(second)
  assert.match(page.text, /Signing in as <b>alice<\/b>/)
  const done = await browser.post('/login/second-step', {
    ...hiddenFields(page),
    code: ` ${spaced(codeOf(secret, 1))} `,
  })
  assert.deepEqual([done.status, done.headers.location], [303, '/alice/secret?x=1'])
  assert.match(String(done.headers['set-cookie']), /texproof-session=[\w-]{43}; Max-Age=2592000;/)
  assert.deepEqual([browser.cookies.has(pendingCookie), (await browser.get('/alice/secret')).status], [false, 200])
})

test('a wrong, expired or used code is rejected alike', async (context) => {
  const guarded = await guardedHost(context)
  const { host, secret, usedCode, alice } = guarded
  const browser = await betweenSteps(guarded)
  const answers = []
  for (const code of ['000000', codeOf(secret, -3), usedCode, '', 'x'.repeat(5000)])
    answers.push(await secondFactor(browser, code))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 401, 401, 401, 401],
  )
  assert.equal(new Set(answers.map(({ text }) => text.replaceAll(/value="[^"]*"/g, ''))).size, 1)
  assert.equal(browser.cookies.has(sessionCookie), false)
  const events = await host.deps.store.events.list({ userId: alice.id, limit: 20, beforeId: null })
  assert.equal(events.filter(({ kind }) => kind === 'second-step-failed').length, 5)
})

test('one code sent twice at once opens one session', async (context) => {
  const guarded = await guardedHost(context)
  const { secret } = guarded
  const browsers = [await betweenSteps(guarded), await betweenSteps(guarded)]
  const code = codeOf(secret, 1)
  const answers = await Promise.all(browsers.map((browser) => secondFactor(browser, code)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 401])
})

test('one pending sign-in completed twice at once opens one session', async (context) => {
  const guarded = await guardedHost(context)
  const { host, recoveryCodes } = guarded
  const browser = await betweenSteps(guarded)
  const twin = copyOf(browser, host)
  const answers = await Promise.all([secondFactor(browser, recoveryCodes[0]), secondFactor(twin, recoveryCodes[1])])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 401])
})

test('a recovery code opens one session, in any spelling', async (context) => {
  const guarded = await guardedHost(context)
  const { recoveryCodes } = guarded
  const typed = (recoveryCodes[3] ?? '').toUpperCase().replaceAll('-', ' ')
  const first = await secondFactor(await betweenSteps(guarded), typed)
  const again = await secondFactor(await betweenSteps(guarded), recoveryCodes[3])
  assert.deepEqual([first.status, again.status], [303, 401])
  const other = await betweenSteps(guarded)
  await secondFactor(other, recoveryCodes[4])
  assert.match((await other.get(path)).text, /8 of 10 are left/)
})

test('guessing codes locks the account for the displayed time, and the password does not end it', async (context) => {
  const guarded = await guardedHost(context)
  const { secret } = guarded
  const browser = await betweenSteps(guarded)
  await Promise.all(Array.from({ length: 5 }, (_, at) => secondFactor(browser, `00000${at}`)))
  const waiting = await secondFactor(browser, codeOf(secret, 1))
  const elsewhere = await secondFactor(await betweenSteps(guarded), codeOf(secret, 1))
  assert.deepEqual([waiting.status, elsewhere.status], [429, 429])
  assert.match(waiting.headers['retry-after'] ?? '', /^(?:[12]\d|30)$/)
  assert.match(waiting.text, /Too many attempts\. Wait \d+ s/)
})

test('a pending sign-in expires after 5 minutes, a new key after 15', async (context) => {
  const guarded = await guardedHost(context)
  const waiting = await betweenSteps(guarded)
  const bob = await guarded.host.addUser('bob')
  const browser = openWebClient(guarded.host.origin)
  const opened = await openSession(guarded.host.deps.store, bob.user, { client: somewhere, isRemembered: false })
  browser.cookies.set(sessionCookie, opened.secret)
  const started = await browser.submit(path, `${path}/start`, {})
  const now = Date.now()
  context.mock.timers.enable({ apis: ['Date'], now: now + 5 * 60_000 })
  const tooLate = await secondFactor(waiting, guarded.recoveryCodes[0])
  assert.deepEqual([tooLate.status, waiting.cookies.has(pendingCookie)], [401, false])
  context.mock.timers.setTime(now + 15 * 60_000 + 1000)
  const code = codeOf(secretOf(started), 0)
  const confirmed = await browser.post(`${path}/confirm`, { ...hiddenFields(started), code })
  assert.deepEqual([confirmed.status, /more than 15 minutes/.test(confirmed.text)], [422, true])
})

test('an account without a password can set up two-factor authentication just after signing in', async (context) => {
  const host = await openPaperHost()
  context.after(() => host.close())
  const { user } = await host.addUser('bob')
  const browser = openWebClient(host.origin)
  const opened = await openSession(host.deps.store, user, { client: somewhere, isRemembered: false })
  browser.cookies.set(sessionCookie, opened.secret)
  assert.equal((await browser.submit(path, `${path}/start`, {})).status, 200)
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 16 * 60_000 })
  const stale = await browser.submit(path, `${path}/start`, {})
  assert.deepEqual([stale.status, /Sign in again, then repeat this/.test(stale.text)], [403, true])
  assert.match((await browser.get('/settings/security')).text, /This account has no password\./)
})

test('a user disabled between password and code is not signed in', async (context) => {
  const guarded = await guardedHost(context)
  const { host, secret, alice } = guarded
  const browser = await betweenSteps(guarded)
  await setUserDisabled(host.deps.store, { user: alice, isDisabled: true, actorId: null })
  const answer = await secondFactor(browser, codeOf(secret, 1))
  assert.deepEqual([answer.status, browser.cookies.has(sessionCookie)], [401, false])
})

test('a pending sign-in expires when the password changes', async (context) => {
  const guarded = await guardedHost(context)
  const { host, secret, alice, browser } = guarded
  const waiting = await betweenSteps(guarded)
  const changed = await browser.submit('/settings/security', '/settings/security/password', {
    current: password,
    password: 'ten stones in the brook',
  })
  assert.deepEqual([changed.status, (await secondFactor(waiting, codeOf(secret, 1))).status], [303, 401])
  const again = await betweenSteps(guarded)
  const code = await makeResetCode(host.deps.store, { user: alice, createdBy: null })
  await openWebClient(host.origin).submit(`/reset?code=${code}`, '/reset', { code, password })
  assert.equal((await secondFactor(again, codeOf(secret, 1))).status, 401)
})

test('a password reset does not skip two-factor authentication', async (context) => {
  const { host, secret, alice } = await guardedHost(context)
  const code = await makeResetCode(host.deps.store, { user: alice, createdBy: null })
  const browser = openWebClient(host.origin)
  const answer = await browser.submit(`/reset?code=${code}`, '/reset', { code, password: 'ten stones in the brook' })
  assert.deepEqual(
    [answer.status, answer.headers.location, browser.cookies.has(sessionCookie)],
    [303, '/login/second-step?next=%2F', false],
  )
  assert.equal((await secondFactor(browser, codeOf(secret, 1))).status, 303)
  assert.equal((await browser.get('/settings/security')).status, 200)
})

test('the cookie of a pending sign-in is not a session, works once, and cannot be forged', async (context) => {
  const guarded = await guardedHost(context)
  const { host, secret, recoveryCodes } = guarded
  const browser = await betweenSteps(guarded)
  const thief = copyOf(browser, host)
  thief.cookies.set(sessionCookie, browser.cookies.get(pendingCookie) ?? '')
  assert.equal((await thief.get('/settings/security')).status, 303)
  thief.cookies.delete(sessionCookie)
  assert.equal((await secondFactor(browser, codeOf(secret, 1))).status, 303)
  const reused = await secondFactor(thief, recoveryCodes[0])
  thief.cookies.set(pendingCookie, 'A'.repeat(43))
  const madeUp = await secondFactor(thief, recoveryCodes[0])
  assert.deepEqual([reused.status, madeUp.status, thief.cookies.has(sessionCookie)], [401, 401, false])
  assert.match(reused.text, /This sign-in expired\. Sign in again\./)
  const page = await thief.get('/login/second-step?next=//evil.example')
  assert.deepEqual([page.status, page.headers.location], [303, '/login?next=%2F'])
})

test('the code form never adopts a planted session cookie', async (context) => {
  const guarded = await guardedHost(context)
  const { host, secret } = guarded
  const browser = await betweenSteps(guarded)
  const planted = 'A'.repeat(43)
  browser.cookies.set(sessionCookie, planted)
  assert.equal((await secondFactor(browser, codeOf(secret, 1))).status, 303)
  const attacker = openWebClient(host.origin)
  attacker.cookies.set(sessionCookie, planted)
  assert.deepEqual(
    [browser.cookies.get(sessionCookie) === planted, (await attacker.get('/settings/security')).status],
    [false, 303],
  )
})

test('new recovery codes replace the old ones', async (context) => {
  const guarded = await guardedHost(context)
  const { recoveryCodes, browser } = guarded
  await expireReauthentication(guarded.host.deps.store, guarded.alice)
  const refused = await browser.submit(path, `${path}/recovery-codes`, { owner_proof: 'x' })
  const made = await browser.submit(path, `${path}/recovery-codes`, { owner_proof: password })
  assert.deepEqual([refused.status, made.status, recoveryCodesOf(made).length], [422, 200, 10])
  assert.equal((await secondFactor(await betweenSteps(guarded), recoveryCodes[0])).status, 401)
  assert.equal((await secondFactor(await betweenSteps(guarded), recoveryCodesOf(made)[0])).status, 303)
})

for (const [by, proofOf] of [
  ['the password', () => password],
  ['a code of the app', ({ secret }) => codeOf(secret, 1)],
  ['a recovery code', ({ recoveryCodes }) => recoveryCodes[0] ?? ''],
] satisfies readonly (readonly [string, (guarded: GuardedHost) => string])[]) {
  test(`two-factor is turned off by ${by}`, async (context) => {
    const guarded = await guardedHost(context)
    const { host, browser } = guarded
    await expireReauthentication(host.deps.store, guarded.alice)
    assert.equal((await browser.submit(path, `${path}/off`, { owner_proof: 'guess' })).status, 422)
    assert.equal((await browser.submit(path, `${path}/off`, { owner_proof: proofOf(guarded) })).status, 303)
    assert.equal((await typePassword(host)).cookies.has(sessionCookie), true)
    assert.match((await browser.get('/settings/security')).text, /Turned two-factor off/)
  })
}

test('codes for turning off two-factor authentication are limited', async (context) => {
  const { host, alice, browser } = await guardedHost(context)
  await expireReauthentication(host.deps.store, alice)
  const statuses = []
  for (let at = 0; at < 6; at += 1)
    statuses.push((await browser.submit(path, `${path}/off`, { owner_proof: `00000${at}` })).status)
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429])
})

test('texproof user reset-factor lets a user without codes sign in', async (context) => {
  const { host } = await guardedHost(context)
  const { dataDir } = host.deps.config
  const { exitCode, stderr } = await runTexproof(['user', 'reset-factor', 'alice', '--data', dataDir])
  assert.deepEqual(
    [exitCode, stderr],
    [0, 'alice now signs in with the password alone: two-factor authentication turned off\n'],
  )
  assert.equal((await typePassword(host)).cookies.has(sessionCookie), true)
})

test('texproof user reset-factor records nothing for a user without factors', async (context) => {
  const { host, alice } = await hostOfAlice(context)
  const { dataDir } = host.deps.config
  const { exitCode, stderr } = await runTexproof(['user', 'reset-factor', 'alice', '--data', dataDir])
  const events = await host.deps.store.events.list({ userId: alice.id, limit: 20, beforeId: null })
  assert.deepEqual(
    [exitCode, stderr, events.filter(({ kind }) => kind === 'factors-reset')],
    [0, 'alice has neither two-factor authentication nor passkeys\n', []],
  )
})

test('resetting the factors of a user without any in the browser says that nothing changed', async (context) => {
  const { host, alice, browser: admin } = await hostOfAlice(context)
  await host.deps.store.users.setAdmin(alice.id, true)
  await host.addUser('bob')
  const { status } = await admin.submit('/admin/users', '/admin/users/bob', { action: 'factors' })
  assert.equal(status, 303)
  assert.match((await admin.get('/admin/users')).text, /This user has neither two-factor authentication nor passkeys\./)
})

test('without the sealing key the page says so, and recovery codes still work', async (context) => {
  const guarded = await guardedHost(context)
  const { host, secret, recoveryCodes } = guarded
  await rm(join(host.deps.config.dataDir, sealingKeyFile))
  const browser = await betweenSteps(guarded)
  const byApp = await secondFactor(browser, codeOf(secret, 1))
  assert.equal(byApp.status, 401)
  assert.match(byApp.text, /This host cannot verify authenticator codes/)
  assert.equal((await secondFactor(browser, recoveryCodes[0])).status, 303)
})

test('neither the secret nor a recovery code is in the database or the log', async (context) => {
  const { host, secret, recoveryCodes } = await guardedHost(context)
  const { dataDir } = host.deps.config
  const files = (await readdir(dataDir)).filter((name) => name.startsWith('texproof.db'))
  const stored = await Promise.all(files.map((name) => readFile(join(dataDir, name), 'latin1')))
  const everything = [...stored, host.logged()].join('\n')
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes).toString('latin1')
  const found = [secret, bytes, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))].filter(
    (each) => everything.includes(each),
  )
  assert.deepEqual([files.length > 0, found], [true, []])
})

test('no two-factor form accepts a cross-site request', async (context) => {
  const guarded = await guardedHost(context)
  const { browser } = guarded
  const waiting = await betweenSteps(guarded)
  const headers = { origin: 'https://evil.example' }
  const answers = await Promise.all([
    waiting.post('/login/second-step', { code: '000000' }, headers),
    ...['start', 'confirm', 'recovery-codes', 'off'].map((form) => browser.post(`${path}/${form}`, {}, headers)),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403, 403, 403],
  )
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script'
  test(
    `two-factor is turned on and signs in ${how}, and no page on the way has a barrier`,
    { skip },
    async (context) => {
      const { host } = await hostOfAlice(context)
      const chromium = await openBrowser()
      context.after(() => chromium.close())
      const page = await chromium.newPage({ baseURL: host.origin, javaScriptEnabled, bypassCSP: true })
      const barriers: string[] = []
      const look = async (): Promise<void> => {
        if (javaScriptEnabled) barriers.push(...(await findBarriers(page)))
      }
      const signIn = async (): Promise<void> => {
        await page.goto(`/login?next=${path}`)
        await page.getByLabel('Username').fill('alice')
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
      }
      await signIn()
      await page.getByRole('button', { name: 'Turn on two-factor' }).click()
      await look()
      const secret = (await page.locator('#secret').innerText()).replaceAll(' ', '')
      await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, 0))
      await page.getByRole('button', { name: 'Turn on two-factor' }).click()
      await look()
      assert.equal((await page.locator('#codes').innerText()).split('\n').length, 10)
      await page.getByRole('link', { name: 'I have saved them' }).click()
      await look()
      await page.context().clearCookies()
      await signIn()
      await page.getByLabel('Code').fill('000000')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('Invalid or used code.').first().waitFor()
      await look()
      await page.getByLabel('Code').fill(codeOf(secret, 1))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('10 of 10 are left.').waitFor()
      assert.deepEqual([new URL(page.url()).pathname, barriers], [path, []])
    },
  )
}

/** Alice with a password, in a signed-in browser. Only the tests of the password form enter it. */
async function hostOfAlice(context: TestContext) {
  const host = await openPaperHost()
  context.after(() => host.close())
  const { user } = await host.addUser('alice')
  await host.deps.store.users.setPasswordHash(user.id, hashTestPassword(password))
  await host.addRepository(user, 'secret', 'private')
  const browser = openWebClient(host.origin)
  const opened = await openSession(host.deps.store, user, { client: somewhere, isRemembered: false })
  browser.cookies.set(sessionCookie, opened.secret)
  return { host, alice: user, browser, sessionSecret: opened.secret }
}

async function guardedHost(context: TestContext): Promise<GuardedHost> {
  const { host, alice, browser, sessionSecret } = await hostOfAlice(context)
  const { store, config } = host.deps
  const owner = await findSession(store, sessionSecret, somewhere)
  assert.ok(owner)
  const { secret, sealed } = await offerSecret(config.dataDir, owner)
  const usedCode = codeOf(secret, 0)
  const outcome = await turnSecondFactorOn(
    { store, dataDir: config.dataDir },
    { ...owner, sealed, code: usedCode, address: somewhere.address },
  )
  assert.ok(outcome.kind === 'on')
  return { host, alice, secret, usedCode, recoveryCodes: outcome.recoveryCodes, browser }
}

async function typePassword(host: PaperHost, typed = password): Promise<WebClient> {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name: 'alice', password: typed })
  return client
}

/** A browser between password and second factor. */
async function betweenSteps({ host, alice }: GuardedHost): Promise<WebClient> {
  const client = openWebClient(host.origin)
  client.cookies.set(pendingCookie, (await openPendingSignIn(host.deps.store, alice)).secret)
  return client
}

function secondFactor(client: WebClient, code: string | undefined): Promise<RawResponse> {
  // Every page of the host contains the form token of this browser.
  return client.submit('/login', '/login/second-step', { code: code ?? '', next: '/' })
}

function copyOf(client: WebClient, host: PaperHost): WebClient {
  const copy = openWebClient(host.origin)
  for (const [name, value] of client.cookies) copy.cookies.set(name, value)
  return copy
}

/** The code of the app after a number of intervals of 30 s. */
function codeOf(secret: string, steps: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

function spaced(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`
}

function secretOf({ text }: RawResponse): string {
  return (/<code id="secret">([A-Z2-7 ]+)</.exec(text)?.[1] ?? '').replaceAll(' ', '')
}

function recoveryCodesOf({ text }: RawResponse): readonly string[] {
  return /<code id="codes">([^<]*)<\/code>/.exec(text)?.[1]?.split('\n') ?? []
}

/** Fields of the last form of a page. */
function hiddenFields({ text }: RawResponse): Record<string, string> {
  const form = text.slice(text.lastIndexOf('<form method="post" action="/settings/sec'))
  const last = form.includes('name="form_token"') && form.startsWith('<form') ? form : text
  return Object.fromEntries(
    [...last.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
}
