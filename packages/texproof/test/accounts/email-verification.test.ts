/** An email address is verified by the link sent to it: requests, confirmations, attacks. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'

import { makeInvite } from '../../src/accounts/join/invite.ts'
import { setRegistration } from '../../src/accounts/join/registration.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { openMailServer } from '../support/hosts/mail-server.ts'
import type { MailServer, ReceivedEmail } from '../support/hosts/mail-server.ts'
import { openBrowser, withoutBrowser as skip } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient, withoutFormTokens } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const password = 'nine trees by the river'
const profile = '/settings/profile'
const settings = '/settings/profile/email'

let server: MailServer
let host: PaperHost

before(async () => {
  server = await openMailServer()
  host = await openPaperHost({ smtp: server.smtp, name: 'Papers of Uni' })
})
afterEach(() => setRegistration(host.deps.store, { mode: 'closed', emailDomain: null }))
after(async () => {
  await host.close()
  await server.close()
})

/** A signed-in user with a unique name. */
async function person(login: string, email: string | null = `${login}@uni.example`): Promise<WebClient> {
  await addTestUser(host.deps.store, { login, password, email })
  return signIn(login)
}

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

async function emailOf(login: string): Promise<string | null | undefined> {
  return (await host.deps.store.users.findByLogin(login))?.email
}

/** The emails caused by an action; waits until each address has one. */
async function emailsOf(act: () => Promise<unknown>, ...addresses: string[]): Promise<readonly ReceivedEmail[]> {
  const start = server.emails.length
  await act()
  const isComplete = (): boolean => addresses.every((to) => emailTextTo(server.emails.slice(start), to) !== '')
  await eventually(isComplete)
  return server.emails.slice(start).filter(({ to }) => to.some((address) => addresses.includes(address)))
}

function emailTextTo(emails: readonly ReceivedEmail[], to: string): string {
  return emails.find((email) => email.to.includes(to))?.text ?? ''
}

function linkIn(text: string): string {
  return /(\/settings\/profile\/email\?code=[\w-]{43})\n/.exec(text)?.[1] ?? ''
}

/** Requests a change of address; returns the link in the email. */
async function ask(client: WebClient, email: string): Promise<string> {
  const emails = await emailsOf(() => client.submit(profile, settings, { email }), email)
  return linkIn(emailTextTo(emails, email))
}

function confirm(client: WebClient, link: string) {
  return client.submit(profile, `${settings}/confirm`, { code: link.split('=')[1] ?? '' })
}

test('a changed email address is verified by link, and the old address is notified', async () => {
  const ada = await person('ada')
  const emails = await emailsOf(
    () => ada.submit(profile, settings, { email: 'ada@lab.example' }),
    'ada@uni.example',
    'ada@lab.example',
  )
  assert.match(
    emailTextTo(emails, 'ada@uni.example'),
    /^A change of your email address was requested\.[^]*\/settings\/security\n/,
  )
  const link = linkIn(emailTextTo(emails, 'ada@lab.example'))
  assert.ok(emailTextTo(emails, 'ada@lab.example').includes(`${host.origin}${link}\n`))
  assert.deepEqual(
    [await emailOf('ada'), /We sent an email to <b>ada@lab\.example<\/b>/.test((await ada.get(profile)).text)],
    ['ada@uni.example', true],
  )
  const opened = await ada.get(link)
  assert.deepEqual(
    [opened.status, opened.headers['cache-control'], await emailOf('ada')],
    [200, 'no-store', 'ada@uni.example'],
  )
  const told = await emailsOf(
    async () => assert.equal((await confirm(ada, link)).status, 303),
    'ada@lab.example',
    'ada@uni.example',
  )
  assert.deepEqual(
    [await emailOf('ada'), told.flatMap(({ to }) => to).toSorted()],
    ['ada@lab.example', ['ada@lab.example', 'ada@uni.example']],
  )
  assert.doesNotMatch((await ada.get(profile)).text, /We sent an email/)
})

test('a verification link works once, even for simultaneous requests', async () => {
  const bea = await person('bea')
  const link = await ask(bea, 'bea@lab.example')
  const statuses = (await Promise.all([confirm(bea, link), confirm(bea, link)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [303, 404])
  assert.deepEqual([(await bea.get(link)).status, (await confirm(bea, link)).status], [404, 404])
})

test('opening a verification link without a session changes nothing', async () => {
  const cem = await person('cem')
  const link = await ask(cem, 'cem@lab.example')
  const scanner = openWebClient(host.origin)
  const opened = await scanner.get(link)
  assert.deepEqual([opened.status, opened.headers.location], [303, `/login?next=${encodeURIComponent(link)}`])
  const code = link.split('=')[1] ?? ''
  assert.equal((await scanner.submit('/login', `${settings}/confirm`, { code })).status, 303)
  assert.equal(await emailOf('cem'), 'cem@uni.example')
  assert.equal((await confirm(cem, link)).status, 303)
})

test('a verification link of another user is rejected and stays valid', async () => {
  const dov = await person('dov')
  const thief = await person('thief')
  const link = await ask(dov, 'dov@lab.example')
  const none = await thief.get(`${settings}?code=${'A'.repeat(43)}`)
  const stolen = await thief.get(link)
  assert.deepEqual([stolen.status, withoutFormTokens(stolen.text)], [404, withoutFormTokens(none.text)])
  assert.equal((await confirm(thief, link)).status, 404)
  assert.deepEqual([(await confirm(dov, link)).status, await emailOf('thief')], [303, 'thief@uni.example'])
})

test('a verification link expires after an hour, with a newer one, when cancelled, and with the password', async (context) => {
  const eli = await person('eli', null)
  const first = await ask(eli, 'eli@lab.example')
  const [again] = await emailsOf(() => eli.submit(profile, `${settings}/again`, {}), 'eli@lab.example')
  const second = linkIn(again?.text ?? '')
  assert.deepEqual([(await eli.get(first)).status, (await eli.get(second)).status], [404, 200])
  await eli.submit(profile, `${settings}/cancel`, {})
  assert.deepEqual(
    [(await eli.get(second)).status, /We sent an email/.test((await eli.get(profile)).text)],
    [404, false],
  )
  const third = await ask(eli, 'eli@lab.example')
  const fields = { current: password, password: `${password}, and a tenth` }
  await eli.submit('/settings/security', '/settings/security/password', fields)
  assert.equal((await eli.get(third)).status, 404)
  const fay = await person('fay', null)
  const late = await ask(fay, 'fay@lab.example')
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 })
  assert.equal((await fay.get(late)).status, 404)
})

test('only its owner learns that an email address is already in use', async () => {
  await person('owner')
  const gus = await person('gus', null)
  const hal = await person('hal', null)
  const emails = await emailsOf(
    async () => {
      const free = await gus.submit(profile, settings, { email: 'free@uni.example' })
      const taken = await hal.submit(profile, settings, { email: 'OWNER@uni.example' })
      assert.deepEqual([taken.status, taken.headers.location], [free.status, free.headers.location])
    },
    'OWNER@uni.example',
    'free@uni.example',
  )
  const words = emailTextTo(emails, 'OWNER@uni.example')
  assert.match(words, /It\nbelongs to your account owner\./)
  assert.deepEqual([linkIn(words), /hal/.test(words), await emailOf('hal')], ['', false, null])
  assert.match((await hal.get(profile)).text, /We sent an email to <b>OWNER@uni\.example<\/b>/)
})

test('the first user to verify an address gets it', async () => {
  const [ivy, jan] = [await person('ivy', null), await person('jan', null)]
  const [first, second] = [await ask(ivy, 'both@lab.example'), await ask(jan, 'both@lab.example')]
  const statuses = (await Promise.all([confirm(ivy, first), confirm(jan, second)])).map(({ status }) => status)
  const emails = [await emailOf('ivy'), await emailOf('jan')]
  assert.deepEqual(
    [statuses.toSorted(), emails.toSorted()],
    [
      [303, 404],
      ['both@lab.example', null],
    ],
  )
})

test('links in email use the configured address, whatever Host says, and no other site can request one', async () => {
  const kim = await person('kim', null)
  const form = { form_token: /name="form_token" value="([^"]+)"/.exec((await kim.get(profile)).text)?.[1] ?? '' }
  for (const path of [settings, `${settings}/confirm`, `${settings}/again`, `${settings}/cancel`]) {
    const answer = await kim.post(path, { ...form, email: 'kim@evil.example' }, { origin: 'https://evil.example' })
    assert.deepEqual([path, answer.status], [path, 403])
  }
  const [email] = await emailsOf(
    () =>
      kim.post(
        settings,
        { ...form, email: 'kim@lab.example' },
        { origin: host.origin, 'x-forwarded-host': 'evil.example' },
      ),
    'kim@lab.example',
  )
  assert.ok(email?.text.includes(`${host.origin}${linkIn(email.text)}\n`))
  assert.doesNotMatch(`${email?.text}${email?.headers}`, /evil/)
})

test('verification emails to one address are limited', async () => {
  const lou = await person('lou', null)
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1)
    statuses.push((await lou.submit(profile, settings, { email: 'victim@lab.example' })).status)
  assert.deepEqual(statuses, [303, 303, 303, 429, 429])
  const max = await person('max', null)
  assert.equal((await max.submit(profile, settings, { email: 'Victim@lab.example' })).status, 429)
})

test('a new user of an open host is signed in at once, and verifies the address later', async () => {
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const ned = openWebClient(host.origin)
  const [email] = await emailsOf(async () => {
    const answer = await ned.submit('/join', '/join', { code: '', login: 'ned', email: 'ned@lab.example', password })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/'])
  }, 'ned@lab.example')
  assert.deepEqual(
    [await emailOf('ned'), /We sent an email to <b>ned@lab\.example/.test((await ned.get('/')).text)],
    [null, true],
  )
  await confirm(ned, linkIn(email?.text ?? ''))
  assert.equal(await emailOf('ned'), 'ned@lab.example')
})

test('an emailed invitation verifies its address, a forwarded one does not', async () => {
  const { store } = host.deps
  const emailedCode = await makeInvite(store, { createdBy: null, email: 'sia@uni.example' })
  const passedOn = await makeInvite(store, { createdBy: null, email: null })
  const join = (code: string, login: string, email: string) => {
    const page = `/join?code=${code}`
    return openWebClient(host.origin).submit(page, '/join', { code, login, email, password })
  }
  const [email] = await emailsOf(async () => {
    const answers = [await join(emailedCode, 'sia', 'tom@uni.example'), await join(passedOn, 'tom', 'tom@uni.example')]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303],
    )
  }, 'tom@uni.example')
  assert.deepEqual([await emailOf('sia'), await emailOf('tom')], ['sia@uni.example', null])
  assert.deepEqual([email?.to, linkIn(email?.text ?? '') === ''], [['tom@uni.example'], false])
})

test('an invitation to an address that has an account says so', async () => {
  const code = await makeInvite(host.deps.store, { createdBy: null, email: 'uma@uni.example' })
  await person('uma')
  const fields = { code, login: 'uma-too', email: '', password }
  const answer = await openWebClient(host.origin).submit(`/join?code=${code}`, '/join', fields)
  assert.deepEqual([answer.status, /An account with your email address already exists/.test(answer.text)], [422, true])
})

test('POST /join answers the same for addresses with and without an account', async () => {
  await person('known')
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const join = (login: string, email: string) =>
    openWebClient(host.origin).submit('/join', '/join', { code: '', login, email, password })
  const [free, taken] = [await join('oda', 'oda@lab.example'), await join('pia', 'known@uni.example')]
  assert.deepEqual([taken.status, taken.headers.location], [free.status, free.headers.location])
  assert.deepEqual([await emailOf('oda'), await emailOf('pia')], [null, null])
})

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with script' : 'without script'
  test(
    `a user changes the email address ${how}, without an accessibility violation on the way`,
    { skip },
    async (context) => {
      const login = javaScriptEnabled ? 'quin' : 'rio'
      await person(login)
      const chromium = await openBrowser()
      context.after(() => chromium.close())
      const page = await chromium.newPage({ baseURL: host.origin, javaScriptEnabled, bypassCSP: true })
      const barriers: string[] = []
      const look = async (): Promise<void> => {
        if (javaScriptEnabled) barriers.push(...(await findBarriers(page)))
      }
      const signInHere = async (): Promise<void> => {
        await page.getByLabel('Username').fill(login)
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      }
      await page.goto(`/login?next=${profile}`)
      await signInHere()
      await page.getByLabel('Address', { exact: true }).fill(`${login}@lab.example`)
      const emails = await emailsOf(
        () => page.getByRole('button', { name: 'Change address' }).click(),
        `${login}@lab.example`,
      )
      await page.getByText(`We sent an email to ${login}@lab.example.`).waitFor()
      await look()
      await page.context().clearCookies()
      await page.goto(linkIn(emailTextTo(emails, `${login}@lab.example`)))
      await signInHere()
      await page.getByText(`will go to ${login}@lab.example`).waitFor()
      await look()
      await page.getByRole('button', { name: 'Confirm address' }).click()
      await page.getByText('Saved.').waitFor()
      assert.deepEqual(
        [await page.getByLabel('Address', { exact: true }).inputValue(), barriers],
        [`${login}@lab.example`, []],
      )
    },
  )
}
