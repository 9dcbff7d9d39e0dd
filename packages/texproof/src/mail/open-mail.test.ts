import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { openMailServer } from '../../test/support/hosts/mail-server.ts'
import { makeFolder } from '../../test/support/make-folder.ts'
import { openStore } from '../store/store.ts'
import { deliverEmail } from './deliver-email.ts'
import type { Email } from './email.ts'
import { openMail } from './open-mail.ts'
import type { Mail } from './open-mail.ts'
import { openEmailQueue } from './email-queue.ts'

const email: Email = { kind: 'test', to: 'alice@uni.example', subject: 'Tides', text: 'They rise.\n' }

/** Opens the mail of a host that retries after milliseconds; returns it with its queue and its log. */
async function open(context: TestContext, retryAfterMs = [5, 5]) {
  const server = await openMailServer()
  const { queue, store, dataDir } = await openEmails(context)
  const logged: string[] = []
  const write = (line: object, words: string): void => void logged.push(`${words} ${JSON.stringify(line)}`)
  const log = { info: write, warn: write, error: write } as never
  const reopen = (smtp = server.smtp): Mail => {
    const mail = openMail(smtp, { log, queue, retryAfterMs })
    context.after(() => mail.close())
    return mail
  }
  context.after(() => server.close())
  return { server, mail: reopen(), reopen, logged, store, dataDir }
}

async function openEmails(context: TestContext, options: { readonly beforeStatement?: () => void } = {}) {
  const dataDir = makeFolder(context)
  const store = await openStore({ dataDir, ...options })
  context.after(() => store.close())
  return { queue: openEmailQueue(store.queuedEmails, { dataDir }), store, dataDir }
}

test('an email arrives as written, with the configured sender', async (context) => {
  const { server, mail } = await open(context)
  mail.send(email)
  await server.whenReceived(1)
  const [{ from, to, subject, text, headers } = {}] = [server.emails[0]]
  assert.deepEqual(
    { from, to, subject, text, isAuto: /^auto-submitted: auto-generated/im.test(headers ?? '') },
    { from: 'papers@uni.example', to: ['alice@uni.example'], subject: 'Tides', text: 'They rise.\n', isAuto: true },
  )
})

test('the name of the sender may contain punctuation', async (context) => {
  const { server, reopen } = await open(context)
  const mail = reopen({ ...server.smtp, from: 'Papers: Uni (Paris) <papers@uni.example>' })
  mail.send(email)
  await server.whenReceived(1)
  const [{ from, headers } = { from: '', headers: '' }] = server.emails
  assert.deepEqual(
    [from, /^from: .*/im.exec(headers)?.[0]],
    ['papers@uni.example', 'From: "Papers: Uni (Paris)" <papers@uni.example>'],
  )
})

test('delivery to a busy server is retried, and a waiting email does not delay others', async (context) => {
  const { server, mail, logged } = await open(context, [50])
  server.refuse([{ code: 451, words: 'later, alice@uni.example' }])
  mail.send(email)
  mail.send({ ...email, subject: 'Second' })
  await server.whenReceived(2)
  assert.deepEqual(
    server.emails.map(({ subject }) => subject),
    ['Second', 'Tides'],
  )
  assert.deepEqual([logged[0]?.includes('451'), logged.join().includes('alice')], [true, false])
})

test('the log says why the mail server could not be reached', async (context) => {
  const { server, reopen, logged } = await open(context)
  await server.close()
  reopen().send(email)
  await eventually(() => logged.length, { until: (count) => count > 0 })
  assert.match(logged[0] ?? '', /^email postponed .*"reason":"connect ECONNREFUSED 127\.0\.0\.1:\d+"/)
})

test('a permanent refusal is not retried, and does not delay others', async (context) => {
  const { server, mail, logged } = await open(context)
  server.refuse([{ code: 550, words: 'no such mailbox' }])
  mail.send(email)
  mail.send({ ...email, subject: 'Second' })
  await server.whenReceived(1)
  assert.equal(server.emails[0]?.subject, 'Second')
  assert.match(logged[0] ?? '', /^email dropped .*550/)
})

test('an email to a recipient that the server refuses is not retried', async (context) => {
  const { server, mail, logged } = await open(context)
  server.refuse([{ code: 550, words: 'no such mailbox', step: 'recipient' }])
  mail.send(email)
  mail.send({ ...email, subject: 'Second' })
  await server.whenReceived(1)
  assert.equal(server.emails[0]?.subject, 'Second')
  assert.match(logged[0] ?? '', /^email dropped .*550/)
})

test('an email is retried after the server has refused the login or the sender', async (context) => {
  const { server, mail: withoutLogin, reopen, logged } = await open(context, [5])
  await withoutLogin.close()
  const mail = reopen({ ...server.smtp, login: { user: 'papers', password: 'sesame' } })
  server.refuse([
    { code: 535, words: 'wrong password', step: 'login' },
    { code: 550, words: 'not your address', step: 'sender' },
  ])
  mail.send(email)
  await server.whenReceived(1)
  await mail.close()
  assert.deepEqual(
    logged.map((line) => line.match(/^email \w+|"status":\d+|"reason":".*?"/g)),
    [
      ['email postponed', '"status":535', '"reason":"Invalid login: 535 wrong password"'],
      ['email postponed', '"status":550', '"reason":"Mail command failed: 550 not your address"'],
      ['email sent'],
    ],
  )
})

test('a recipient is one address, whatever it contains', async (context) => {
  const { server, mail } = await open(context)
  for (const to of ['alice@uni.example, eve@evil.example', 'alice@uni.example\r\nBcc: eve@evil.example'])
    mail.send({ ...email, to })
  mail.send({ ...email, subject: 'x\r\nBcc: eve@evil.example' })
  await server.whenReceived(1)
  await mail.close()
  const recipients = server.emails.flatMap(({ to, headers }) => [...to, ...(/^bcc:/im.test(headers) ? ['bcc'] : [])])
  assert.equal(recipients.includes('eve@evil.example') || recipients.includes('bcc'), false)
})

test('a password is sent to a server on this machine, and to others only over TLS', async (context) => {
  const login = { user: 'papers', password: 'sesame' }
  const outcomes: unknown[] = []
  for (const host of ['127.0.0.1', '127.0.0.2'] as const) {
    const server = await openMailServer(host)
    context.after(() => server.close())
    const isTaken = await deliverEmail({ ...server.smtp, login }, email).then(
      () => true,
      () => false,
    )
    outcomes.push([isTaken, server.logins, server.emails.length])
  }
  assert.deepEqual(outcomes, [
    [true, ['papers:sesame'], 1],
    [false, [], 0],
  ])
})

test('a server on this machine may have any certificate, and others require a valid one', async (context) => {
  const outcomes: unknown[] = []
  for (const host of ['127.0.0.1', '127.0.0.2'] as const) {
    const server = await openMailServer(host, { offersTls: true })
    context.after(() => server.close())
    const isTaken = await deliverEmail(server.smtp, email).then(
      () => true,
      () => false,
    )
    outcomes.push([isTaken, server.emails.length])
  }
  assert.deepEqual(outcomes, [
    [true, 1],
    [false, 0],
  ])
})

test('without a mail server nothing is sent, and closing does not wait', async (context) => {
  const { queue, store } = await openEmails(context)
  const mail = openMail(null, { log: { info() {}, warn() {}, error() {} } as never, queue })
  mail.send(email)
  await mail.close()
  assert.deepEqual([mail.isConfigured, await store.queuedEmails.count()], [false, 0])
})

test('an email that waits when the host stops is sent after the next start', async (context) => {
  const { server, mail, reopen, store } = await open(context, [60_000])
  server.refuse([{ code: 451, words: 'later' }])
  mail.send(email)
  await mail.settle(5_000)
  await mail.close()
  assert.deepEqual([server.emails.length, await store.queuedEmails.count()], [0, 1])
  await store.queuedEmails.postpone(1, Date.now())
  reopen()
  await server.whenReceived(1)
  assert.equal(server.emails[0]?.text, 'They rise.\n')
})

test('an email that waits while the database is not available is sent when it is back', async (context) => {
  const server = await openMailServer()
  context.after(() => server.close())
  const outage = { isOn: false }
  const beforeStatement = (): void => {
    if (outage.isOn) throw new Error('the database is not available')
  }
  const { queue } = await openEmails(context, { beforeStatement })
  await queue.put(email)
  outage.isOn = true
  const logged: string[] = []
  const write = (_line: object, words: string): void => void logged.push(words)
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const mail = openMail(server.smtp, { log: { info: write, warn: write, error: write } as never, queue })
  context.after(() => mail.close())
  context.mock.timers.tick(0)
  await eventually(() => logged.length)
  outage.isOn = false
  context.mock.timers.tick(15_000)
  context.mock.timers.reset()
  await eventually(() => logged.length, { until: (count) => count > 2 })
  assert.deepEqual(
    [logged, server.emails.length],
    [['send queued emails', 'email sent', 'send queued emails: succeeds again'], 1],
  )
})

test('an email that is queued while the host stops is kept', async (context) => {
  const { mail, store } = await open(context)
  const { queue } = await openEmails(context)
  const closing = openMail(
    { host: '127.0.0.1', port: 1, isTls: false, login: null, from: 'x@y.example' },
    {
      log: { info() {}, warn() {}, error() {} } as never,
      queue,
    },
  )
  closing.send(email)
  await closing.close()
  assert.notEqual(await queue.findWaitMs(), null)
  await mail.close()
  assert.equal(await store.queuedEmails.count(), 0)
})

test('an email is sent once if two processes run, and never after it has expired', async (context) => {
  const { server, mail, reopen, store } = await open(context)
  const twin = reopen()
  for (let count = 0; count < 10; count += 1) mail.send({ ...email, subject: `Email ${count}` })
  mail.send({ ...email, subject: 'Late', usefulForMs: 0 })
  await Promise.all([mail.settle(10_000), twin.settle(10_000)])
  await server.whenReceived(10)
  await Promise.all([mail.close(), twin.close()])
  assert.deepEqual(
    server.emails.map(({ subject }) => subject).toSorted(),
    Array.from({ length: 10 }, (_, count) => `Email ${count}`),
  )
  await store.queuedEmails.removeExpired(Date.now())
  assert.equal(await store.queuedEmails.count(), 0)
})

test('the database does not contain the text of an email', async (context) => {
  const { mail, server, dataDir } = await open(context, [60_000])
  server.refuse([{ code: 451, words: 'later' }])
  mail.send({ ...email, text: 'https://papers.uni.example/reset?code=kept-from-everybody' })
  await mail.settle(5_000)
  const files = (await readdir(dataDir)).filter((name) => name.startsWith('texproof.db'))
  const stored = await Promise.all(files.map((name) => readFile(join(dataDir, name), 'latin1')))
  assert.deepEqual([files.length > 0, /kept-from|alice@uni/.test(stored.join())], [true, false])
})

test('closing does not wait for a server that does not respond', async (context) => {
  const { server, mail } = await open(context, [600_000])
  await server.close()
  mail.send(email)
  await mail.close()
  assert.deepEqual(server.emails, [])
})

test('an email that expires before the mail server accepts it is logged', async (context) => {
  const { mail, logged } = await open(context)
  mail.send({ ...email, usefulForMs: 0 })
  await mail.settle(5_000)
  mail.send({ ...email, subject: 'Next' })
  await mail.settle(5_000)
  assert.deepEqual(
    logged.filter((line) => line.startsWith('emails expired')),
    ['emails expired before the mail server accepted them {"component":"mail","count":1}'],
  )
})

test('invitations and transfers fill half of the queue, so that password resets still fit', async (context) => {
  const { queue, store } = await openEmails(context)
  for (let count = 0; count < 500; count += 1)
    await store.queuedEmails.add({ sealed: 'an invitation', expiresAt: Date.now() + 60_000 })
  const outcomes = []
  for (const kind of ['collaborator-invitation', 'transfer-offer', 'reset', 'proof', 'notice'])
    outcomes.push(await queue.put({ ...email, kind }))
  assert.deepEqual(outcomes, [false, false, true, true, true])
})
