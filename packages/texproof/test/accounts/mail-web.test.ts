import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { emailsByActor } from '../../src/accounts/email/throttle-email.ts'
import { findInvite } from '../../src/accounts/join/invite.ts'
import { setRegistration } from '../../src/accounts/join/registration.ts'
import { openSession } from '../../src/accounts/session/session-cookie.ts'
import { sealPurposes } from '../../src/base/sealing/seal-purposes.ts'
import { sealText } from '../../src/base/sealing/seal-text.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openStore } from '../../src/store/store.ts'
import { makeFolder } from '../support/make-folder.ts'
import { openMailServer } from '../support/hosts/mail-server.ts'
import type { MailServer, ReceivedEmail } from '../support/hosts/mail-server.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
let server: MailServer
let host: PaperHost

before(async () => {
  server = await openMailServer()
  host = await openPaperHost({ smtp: server.smtp, name: 'Papers of Uni', areCoauthorsAllowed: true })
  const { store } = host.deps
  await addTestUser(store, { login: 'alice', password, email: 'Alice@uni.example', isAdmin: true })
  await addTestUser(store, { login: 'bob', password })
})
after(async () => {
  await host.close()
  await server.close()
})

/** A browser with its own network address, so that no test meets the throttle of another. */
let networks = 0
function clientFromElsewhere(): (name: string) => Promise<number> {
  networks += 1
  const address = `192.0.2.${networks}`
  return async (name) => {
    const client = openWebClient(host.origin)
    const token = /name="form_token" value="([^"]+)"/.exec((await client.get('/forgot')).text)?.[1] ?? ''
    const headers = { origin: host.origin, 'x-forwarded-for': address }
    return (await client.post('/forgot', { form_token: token, name }, headers)).status
  }
}

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name, password })
  return client
}

/** The emails caused by an action; waits for `count`. */
async function emailsOf(act: () => Promise<unknown>, count: number): Promise<readonly ReceivedEmail[]> {
  const start = server.emails.length
  await act()
  await server.whenReceived(start + count)
  return server.emails.slice(start)
}

test('a forgotten password is reset by one email, whose link works once', async () => {
  const client = openWebClient(host.origin)
  assert.match((await client.get('/login')).text, /href="\/forgot"/)
  const [email] = await emailsOf(async () => {
    const answer = await client.submit('/forgot', '/forgot', { name: 'alice' })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/forgot/sent'])
  }, 1)
  assert.deepEqual([email?.to, email?.subject], [['Alice@uni.example'], 'Reset the password of alice on Papers of Uni'])
  const path = /(\/reset\?code=[\w-]{43})\n/.exec(email?.text ?? '')?.[1] ?? ''
  assert.ok(email?.text.includes(`${host.origin}${path}\n`))
  const code = path.split('=')[1] ?? ''
  const first = await client.submit(path, '/reset', { code, password })
  const second = await openWebClient(host.origin).get(path)
  assert.deepEqual([first.status, second.status, /href="\/forgot"/.test(second.text)], [303, 404, true])
})

test('a user without a password sets one by email, if the account has an address', async () => {
  const { store } = host.deps
  const hints: unknown[] = []
  for (const [login, email] of [
    ['nils', 'nils@uni.example'],
    ['nora', null],
  ] as const) {
    const outcome = await addTestUser(store, { login, email })
    assert.ok(outcome.kind === 'added')
    const client = openWebClient(host.origin)
    const browser = { client: { address: '192.0.2.200', agent: '' }, isRemembered: false }
    client.cookies.set('texproof-session', (await openSession(store, outcome.user, browser)).secret)
    hints.push(/This account has no password\.[^]*?<\/p>/.exec((await client.get('/settings/security')).text)?.[0])
  }
  assert.deepEqual(hints, [
    'This account has no password. <a href="/forgot">Request a link by email</a> to set one.</p>',
    'This account has no password. Ask the administrator for a password reset link.</p>',
  ])
})

test('the answer is the same with an account, without one, and without an email address', async () => {
  const ask = clientFromElsewhere()
  const emails = await emailsOf(async () => {
    const statuses = [
      await ask('nobody'),
      await ask('bob'),
      await ask(''),
      await ask('a'.repeat(5_000)),
      await ask('alice'),
    ]
    assert.deepEqual(statuses, [303, 303, 303, 303, 303])
  }, 1)
  await pause(50)
  assert.deepEqual(emails.length, 1)
})

test('an account is found by its email address in any case, and gets at most three emails in a row', async () => {
  await addTestUser(host.deps.store, { login: 'carol', password, email: 'carol@uni.example' })
  const emails = await emailsOf(async () => {
    for (const name of ['CAROL@uni.example', 'carol', 'Carol@Uni.Example', 'carol', 'carol'])
      await clientFromElsewhere()(name)
  }, 3)
  await pause(50)
  assert.deepEqual([emails.length, server.emails.at(-1)?.to], [3, ['carol@uni.example']])
})

test('password resets for many usernames from one network are limited', async () => {
  const ask = clientFromElsewhere()
  const statuses: number[] = []
  for (let n = 1; n <= 12; n += 1) statuses.push(await ask(`nobody${n}`))
  assert.deepEqual([statuses.slice(0, 10), statuses.slice(10)], [Array.from({ length: 10 }, () => 303), [429, 429]])
})

test('a disabled account gets no email', async () => {
  await addTestUser(host.deps.store, { login: 'dora', password, email: 'dora@uni.example' })
  const dora = await host.deps.store.users.findByLogin('dora')
  await host.deps.store.users.setDisabled(dora?.id ?? '', true)
  await clientFromElsewhere()('dora')
  await emailsOf(() => clientFromElsewhere()('alice'), 1)
  assert.equal(
    server.emails.some(({ to }) => to.includes('dora@uni.example')),
    false,
  )
})

test('a user is notified of a new password and a new token', async () => {
  const alice = await signIn('alice')
  const emails = await emailsOf(async () => {
    await alice.submit('/settings/tokens/new', '/settings/tokens', { name: 'laptop', access: 'write', days: '90' })
    const fields = { current: password, password: 'ten stones in the brook' }
    await alice.submit('/settings/security', '/settings/security/password', fields)
    await alice.submit('/settings/security', '/settings/security/password', {
      current: 'ten stones in the brook',
      password,
    })
  }, 3)
  assert.deepEqual(
    emails.map(({ subject }) => subject),
    [
      'alice on Papers of Uni: an access token was created',
      'alice on Papers of Uni: your password was changed',
      'alice on Papers of Uni: your password was changed',
    ],
  )
  assert.match(emails[0]?.text ?? '', /^An access token was created: laptop\.\n/)
  assert.doesNotMatch(emails.map(({ text }) => text).join(), /pst_|stones/)
})

test('an invitation is sent to the address that an administrator enters', async () => {
  const alice = await signIn('alice')
  const [email] = await emailsOf(async () => {
    const { headers } = await alice.submit('/admin/users', '/admin/users/invite', { email: 'eve@uni.example' })
    assert.match((await alice.get(headers['location'] ?? '')).text, /sent to eve@uni\.example/)
  }, 1)
  const path = /(\/join\?code=[\w-]{43})\n/.exec(email?.text ?? '')?.[1] ?? ''
  assert.deepEqual([email?.to, (await openWebClient(host.origin).get(path)).status], [['eve@uni.example'], 200])
  const wrong = await alice.submit('/admin/users', '/admin/users/invite', { email: 'eve' })
  assert.equal(wrong.status, 422)
})

/** Bob invites a person without an account to his repository. Returns his page and the path of the link in the email. */
async function inviteCoauthor(email: string, repository: string): Promise<{ page: string; link: string }> {
  const { store } = host.deps
  const owner = await store.users.findByLogin('bob')
  assert.ok(owner)
  await host.addRepository(owner, repository)
  const bob = await signIn('bob')
  const people = `/bob/${repository}/people`
  let page = ''
  const [received] = await emailsOf(async () => {
    await bob.submit(people, people, { email, right: 'push' })
    page = (await bob.get(people)).text
  }, 1)
  const link = /(\/settings\/invitations\/[\w-]{43})\n/.exec(received?.text ?? '')?.[1] ?? ''
  assert.deepEqual(received?.to, [email])
  return { page, link }
}

test('while registration is closed, the email to an invited co-author creates one account, and only it has the link', async () => {
  const { store } = host.deps
  const { page, link } = await inviteCoauthor('kim@uni.example', 'shared')
  const code = link.split('/').at(-1) ?? ''
  const client = openWebClient(host.origin)
  const invitation = await client.get(link)
  const path = `/join?code=${code}&next=${encodeURIComponent(link)}`
  const form = await client.get(path)
  const fields = { code, next: link, login: 'kim', email: 'other@elsewhere.example', password }
  const joined = await client.submit(path, '/join', fields)
  const accepted = await client.submit(link, link, { answer: 'accept' })
  const again = await openWebClient(host.origin).submit('/login', '/join', { ...fields, login: 'kim-2' })
  const kim = await store.users.findByLogin('kim')
  const repository = await store.repositories.findByName('bob', 'shared')
  assert.deepEqual(
    {
      isLinkShown: page.includes(code),
      isSaid: page.includes('Invitation sent. Only the email contains the link.'),
      isOffered: invitation.text.includes(`href="${path.replace('&', '&amp;')}"`),
      isAddressFixed: [/<b>kim@uni\.example<\/b>/.test(form.text), form.text.includes('name="email"')],
      joined: [joined.status, joined.headers.location, kim?.email],
      accepted: [accepted.status, accepted.headers.location],
      permission: await store.repositories.findCollaboration(repository?.id ?? 0, kim?.id ?? ''),
      again: [again.status, await store.users.findByLogin('kim-2')],
    },
    {
      isLinkShown: false,
      isSaid: true,
      isOffered: true,
      isAddressFixed: [true, false],
      joined: [303, link, 'kim@uni.example'],
      accepted: [303, '/bob/shared'],
      permission: 'push',
      again: [403, null],
    },
  )
})

test('the link of an invited co-author creates no account after it was revoked, or if the setting is off', async () => {
  const { store } = host.deps
  const { link } = await inviteCoauthor('lou@uni.example', 'revoked')
  const code = link.split('/').at(-1) ?? ''
  const allowed = await findInvite(store, { code, areCoauthorsAllowed: true })
  const off = await findInvite(store, { code, areCoauthorsAllowed: false })
  const repository = await store.repositories.findByName('bob', 'revoked')
  for (const { id } of await store.repositoryInvitations.listOfRepository(repository?.id ?? 0))
    await store.repositoryInvitations.remove(repository?.id ?? 0, id)
  const revoked = await findInvite(store, { code, areCoauthorsAllowed: true })
  assert.deepEqual([allowed, off, revoked], [{ purpose: 'coauthor', email: 'lou@uni.example' }, null, null])
})

test('inviting, revoking and inviting again does not fill a mailbox', async (context) => {
  const { store } = host.deps
  const owner = await store.users.findByLogin('bob')
  assert.ok(owner)
  const { id } = await host.addRepository(owner, 'repeated')
  context.after(() => store.throttles.open('email by user', emailsByActor).forget(owner.id))
  const bob = await signIn('bob')
  const statuses: number[] = []
  const emails = await emailsOf(async () => {
    for (let count = 0; count < 6; count += 1) {
      const fields = { email: count % 2 === 0 ? 'max@uni.example' : 'Max@uni.example', right: 'push' }
      statuses.push((await bob.submit('/bob/repeated/people', '/bob/repeated/people', fields)).status)
      for (const invitation of await store.repositoryInvitations.listOfRepository(id))
        await store.repositoryInvitations.remove(id, invitation.id)
    }
    await host.deps.mail.settle(10_000)
  }, 5)
  assert.deepEqual([statuses, emails.length], [[303, 303, 303, 303, 303, 429], 5])
})

test('a user cannot email more and more people by inviting them', async (context) => {
  const { store } = host.deps
  const owner = await store.users.findByLogin('bob')
  assert.ok(owner)
  await host.addRepository(owner, 'crowded')
  const throttle = store.throttles.open('email by user', emailsByActor)
  context.after(() => throttle.forget(owner.id))
  const bob = await signIn('bob')
  for (let waitMs = 0; waitMs === 0;) waitMs = await throttle.attempt(owner.id)
  const page = '/bob/crowded/people'
  const refused = await bob.submit(page, page, { email: 'noa@uni.example', right: 'push' })
  const byLink = await bob.submit(page, page, { email: '', right: 'push' })
  assert.deepEqual([refused.status, byLink.status], [429, 303])
  assert.match(refused.text, /Too many attempts\. Wait \d+ s, then try again\./)
})

test('repeatedly offering and withdrawing a transfer does not fill a mailbox', async (context) => {
  const { store } = host.deps
  const owner = await store.users.findByLogin('bob')
  assert.ok(owner)
  await addTestUser(store, { login: 'oda', password, email: 'oda@uni.example' })
  await host.addRepository(owner, 'offered')
  context.after(() => store.throttles.open('email by user', emailsByActor).forget(owner.id))
  const bob = await signIn('bob')
  const page = '/bob/offered/settings/transfer'
  const statuses: number[] = []
  const emails = await emailsOf(async () => {
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await bob.submit(page, page, { login: 'oda' })).status)
      if (count < 5) await bob.submit(page, page, { withdraw: 'yes' })
    }
    await host.deps.mail.settle(10_000)
  }, 5)
  assert.deepEqual([statuses, emails.length], [[303, 303, 303, 303, 303, 429], 5])
})

test('when registration is limited to a domain, an email link creates one account', async (context) => {
  const { store } = host.deps
  await setRegistration(store, { mode: 'open', emailDomain: 'uni.example' })
  context.after(() => setRegistration(store, { mode: 'closed', emailDomain: null }))
  const client = openWebClient(host.origin)
  const [email] = await emailsOf(async () => {
    const answer = await client.submit('/join', '/join/email', { email: 'gil@uni.example' })
    assert.equal(answer.headers.location, '/join/sent')
  }, 1)
  const path = /(\/join\?code=[\w-]{43})\n/.exec(email?.text ?? '')?.[1] ?? ''
  const form = await client.get(path)
  assert.deepEqual([/<b>gil@uni\.example<\/b>/.test(form.text), /name="email"/.test(form.text)], [true, false])
  const fields = { code: path.split('=')[1] ?? '', login: 'gil', email: 'gil@elsewhere.example', password }
  assert.equal((await client.submit(path, '/join', fields)).status, 303)
  assert.equal((await store.users.findByLogin('gil'))?.email, 'gil@uni.example')
})

test('when registration requires an email link, joining fails without it, with another domain, and a second time', async (context) => {
  const { store } = host.deps
  await setRegistration(store, { mode: 'open', emailDomain: 'uni.example' })
  context.after(() => setRegistration(store, { mode: 'closed', emailDomain: null }))
  const client = openWebClient(host.origin)
  const fields = { code: '', login: 'ian', email: 'ian@uni.example', password }
  assert.equal((await client.submit('/join', '/join', fields)).status, 422)
  assert.equal(await store.users.findByLogin('ian'), null)
  const wrong = await client.submit('/join', '/join/email', { email: 'ian@evil-uni.example' })
  const none = await client.submit('/join', '/join/email', { email: 'ian' })
  assert.deepEqual([wrong.status, none.status], [422, 422])
  const [known] = await emailsOf(async () => {
    const answer = await client.submit('/join', '/join/email', { email: 'ALICE@uni.example' })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/join/sent'])
  }, 1)
  assert.match(known?.text ?? '', /It\nbelongs to your account alice\./)
  assert.doesNotMatch(known?.text ?? '', /\/join/)
})

test('a registration link expires when registration becomes invitation-only', async (context) => {
  const { store } = host.deps
  await setRegistration(store, { mode: 'open', emailDomain: 'uni.example' })
  context.after(() => setRegistration(store, { mode: 'closed', emailDomain: null }))
  const client = openWebClient(host.origin)
  const [email] = await emailsOf(() => client.submit('/join', '/join/email', { email: 'lea@uni.example' }), 1)
  const path = /(\/join\?code=[\w-]{43})\n/.exec(email?.text ?? '')?.[1] ?? ''
  for (const rule of [
    { mode: 'invite', emailDomain: null },
    { mode: 'closed', emailDomain: null },
    { mode: 'open', emailDomain: 'lab.example' },
  ] as const) {
    await setRegistration(store, rule)
    const fields = { code: path.split('=')[1] ?? '', login: 'lea', email: '', password }
    const answer = await client.submit('/login', '/join', fields)
    assert.deepEqual([rule, answer.status === 303, await store.users.findByLogin('lea')], [rule, false, null])
  }
})

test('when registration requires no email, the host sends none', async (context) => {
  const { store } = host.deps
  context.after(() => setRegistration(store, { mode: 'closed', emailDomain: null }))
  const client = openWebClient(host.origin)
  for (const mode of ['open', 'invite', 'closed'] as const) {
    await setRegistration(store, { mode, emailDomain: null })
    const answer = await client.submit('/login', '/join/email', { email: 'bob@elsewhere.example' })
    assert.deepEqual([mode, answer.status], [mode, 404])
  }
})

test('texproof user invite emails the link, and prints it even when the email fails', async (context) => {
  const data = makeFolder(context)
  const env = {
    TEXPROOF_SMTP_URL: `smtp://127.0.0.1:${server.smtp.port}`,
    TEXPROOF_BASE_URL: 'https://papers.uni.example',
  }
  const invite = (...args: string[]) => runTexproof(['user', 'invite', ...args, '--data', data, '--json'], { env })
  await runTexproof(['init', '--admin', 'root', '--data', data])
  const [email] = await emailsOf(async () => {
    const { stdout } = await invite('eve@uni.example')
    assert.equal(JSON.parse(stdout).is_sent, true)
  }, 1)
  assert.match(email?.text ?? '', /https:\/\/papers\.uni\.example\/join\?code=[\w-]{43}\n/)
  server.refuse([{ code: 550, words: 'no such mailbox' }])
  const refused = await invite('nobody@uni.example')
  assert.deepEqual([refused.exitCode, JSON.parse(refused.stdout).is_sent], [0, false])
  assert.equal(
    refused.stderr,
    '! The email was not sent (Message failed: 550 no such mailbox). Send the link yourself.\n',
  )
  assert.equal((await invite('eve')).exitCode, 2)
})

test('texproof user invite does not call an email rejected if the mail server cannot be reached', async (context) => {
  const data = makeFolder(context)
  const env = { TEXPROOF_SMTP_URL: 'smtp://127.0.0.1:1', TEXPROOF_BASE_URL: 'https://papers.uni.example' }
  await runTexproof(['init', '--admin', 'root', '--data', data])
  const { stderr } = await runTexproof(['user', 'invite', 'eve@uni.example', '--data', data], { env })
  assert.equal(stderr, '! The email was not sent (connect ECONNREFUSED 127.0.0.1:1). Send the link yourself.\n')
})

test('the answer of a mail server cannot control the terminal of texproof user invite', async (context) => {
  const data = makeFolder(context)
  const env = {
    TEXPROOF_SMTP_URL: `smtp://127.0.0.1:${server.smtp.port}`,
    TEXPROOF_BASE_URL: 'https://papers.uni.example',
  }
  await runTexproof(['init', '--admin', 'root', '--data', data])
  server.refuse([{ code: 550, words: 'no \u001B[31mmailbox' }])
  const { stderr } = await runTexproof(['user', 'invite', 'nobody@uni.example', '--data', data], { env })
  assert.equal(stderr, '! The email was not sent (Message failed: 550 no  [31mmailbox). Send the link yourself.\n')
})

test('changes of an account by the command line are emailed to its owner, and are in the log', async (context) => {
  const data = makeFolder(context)
  const env = { TEXPROOF_SMTP_URL: `smtp://127.0.0.1:${server.smtp.port}`, TEXPROOF_NAME: 'Papers of Uni' }
  const run = (...args: string[]) => runTexproof([...args, '--data', data], { env })
  await run('init', '--admin', 'root')
  await run('user', 'add', 'alice', '--email', 'alice@cli.example', '--admin')
  await run('user', 'add', 'bob', '--email', 'bob@cli.example')
  writeFileSync(join(data, 'password'), 'correct horse')
  const store = await openStore({ dataDir: data })
  context.after(() => store.close())
  const bob = await store.users.findByLogin('bob')
  const userId = bob?.id ?? ''
  const sealedSecret = await sealText('secret', { dataDir: data, purpose: sealPurposes.secondFactor(userId) })
  await store.secondFactors.add({ userId, sealedSecret }, { step: 1, recoveryHashes: ['hash'] })
  const emails = await emailsOf(async () => {
    await run('token', 'create', '--user', 'bob', '--name', 'nightly')
    await run('token', 'revoke', '1')
    await run('user', 'reset-factor', 'bob')
    await run('user', 'make-admin', 'bob')
    await run('user', 'disable', 'bob')
    await run('init', '--admin', 'alice', '--password-file', join(data, 'password'))
  }, 6)
  assert.deepEqual(
    emails.map(({ to, text }) => [to, text.split('\n')[0]]),
    [
      [['bob@cli.example'], 'An access token was created: nightly.'],
      [['bob@cli.example'], 'An access token was revoked: nightly.'],
      [['bob@cli.example'], 'Two-factor authentication was turned off and all passkeys were removed.'],
      [['bob@cli.example'], 'Your account was given administrator rights.'],
      [['bob@cli.example'], 'Your account was disabled. Its sessions ended and its tokens are rejected.'],
      [['alice@cli.example'], 'Your password was reset.'],
    ],
  )
  const events = await store.events.list({ userId: null, limit: 20, beforeId: null })
  assert.deepEqual(events.map(({ kind, login, actor }) => [kind, login, actor]).toReversed(), [
    ['user-added', 'alice', null],
    ['user-added', 'bob', null],
    ['token-created', 'bob', null],
    ['token-revoked', 'bob', null],
    ['factors-reset', 'bob', null],
    ['administrator-made', 'bob', null],
    ['user-disabled', 'bob', null],
    ['password-reset', 'alice', null],
  ])
})

test('an email of the command line that fails is sent by the running host', async (context) => {
  const { store, config } = host.deps
  await addTestUser(store, { login: 'wim', email: 'wim@uni.example' })
  const gone = { TEXPROOF_SMTP_URL: 'smtp://127.0.0.1:1' }
  const [email] = await emailsOf(async () => {
    const { exitCode } = await runTexproof(['user', 'make-admin', 'wim', '--data', config.dataDir], { env: gone })
    assert.deepEqual([exitCode, await store.queuedEmails.count()], [0, 1])
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2_000 })
    await host.deps.mail.settle(5_000)
  }, 1)
  assert.deepEqual([email?.to, /given administrator rights/.test(email?.text ?? '')], [['wim@uni.example'], true])
})

test('a host without a mail server shows the contact', async (context) => {
  const silent = await openPaperHost()
  context.after(() => silent.close())
  const client = openWebClient(silent.origin)
  const { text } = await client.get('/forgot')
  assert.match(text, /texproof user reset-link NAME/)
  assert.doesNotMatch(text, /action="\/forgot"/)
  assert.equal((await client.submit('/login', '/forgot', { name: 'alice' })).status, 404)
})

test('the deletion of an account is confirmed by email', async () => {
  await addTestUser(host.deps.store, { login: 'gina', password, email: 'gina@uni.example' })
  const client = await signIn('gina')
  const path = '/settings/profile/delete'
  const [email] = await emailsOf(() => client.submit(path, path, { login: 'gina' }), 1)
  const { to, subject, text } = email ?? {}
  assert.deepEqual(
    { to, subject, text: text?.replaceAll('\r\n', '\n') },
    {
      to: ['gina@uni.example'],
      subject: 'The account gina on Papers of Uni was deleted',
      text: `The account gina on Papers of Uni was deleted. It cannot be restored.
If you did not delete it, tell the administrator of this host.
`,
    },
  )
})
