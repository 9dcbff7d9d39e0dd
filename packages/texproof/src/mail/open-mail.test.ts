import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openMailServer } from '../../test/support/mail-server.ts'
import type { MailServer } from '../../test/support/mail-server.ts'
import type { Letter } from './letter.ts'
import { openMail } from './open-mail.ts'
import type { Mail } from './open-mail.ts'

const letter: Letter = { kind: 'test', to: 'alice@uni.example', subject: 'Tides', text: 'They rise.\n' }

/** A host's mail that asks again after some milliseconds, and what it logged. */
async function open(
  context: TestContext,
  retryAfterMs = [5, 5],
): Promise<{ server: MailServer; mail: Mail; logged: string[] }> {
  const server = await openMailServer()
  const logged: string[] = []
  const write = (line: object, words: string): void => void logged.push(`${words} ${JSON.stringify(line)}`)
  const mail = openMail(server.smtp, { log: { info: write, warn: write } as never, retryAfterMs })
  context.after(async () => {
    await mail.close()
    await server.close()
  })
  return { server, mail, logged }
}

test('a letter comes as it was written, from whom the configuration says', async (context) => {
  const { server, mail } = await open(context)
  mail.send(letter)
  await server.whenReceived(1)
  const [{ from, to, subject, text, headers } = {}] = [server.letters[0]]
  assert.deepEqual(
    { from, to, subject, text, isAuto: /^auto-submitted: auto-generated/im.test(headers ?? '') },
    { from: 'papers@uni.example', to: ['alice@uni.example'], subject: 'Tides', text: 'They rise.\n', isAuto: true },
  )
})

test('a server that is busy is asked again, in turn', async (context) => {
  const { server, mail, logged } = await open(context)
  server.refuse([{ code: 451, words: 'later, alice@uni.example' }])
  mail.send(letter)
  mail.send({ ...letter, subject: 'Second' })
  await server.whenReceived(2)
  assert.deepEqual(
    server.letters.map(({ subject }) => subject),
    ['Tides', 'Second'],
  )
  assert.deepEqual([logged[0]?.includes('451'), logged.join().includes('alice')], [true, false])
})

test('a refusal for good is not asked again, and holds nobody else up', async (context) => {
  const { server, mail, logged } = await open(context)
  server.refuse([{ code: 550, words: 'no such mailbox' }])
  mail.send(letter)
  mail.send({ ...letter, subject: 'Second' })
  await server.whenReceived(1)
  assert.equal(server.letters[0]?.subject, 'Second')
  assert.match(logged[0] ?? '', /^letter given up .*550/)
})

test('a recipient is one address, whatever it holds', async (context) => {
  const { server, mail } = await open(context)
  for (const to of ['alice@uni.example, eve@evil.example', 'alice@uni.example\r\nBcc: eve@evil.example'])
    mail.send({ ...letter, to })
  mail.send({ ...letter, subject: 'x\r\nBcc: eve@evil.example' })
  await server.whenReceived(1)
  await mail.close()
  const recipients = server.letters.flatMap(({ to, headers }) => [...to, ...(/^bcc:/im.test(headers) ? ['bcc'] : [])])
  assert.equal(recipients.includes('eve@evil.example') || recipients.includes('bcc'), false)
})

test('a password goes to a server on this machine, and to another one by TLS alone', async (context) => {
  const login = { user: 'papers', password: 'sesame' }
  const outcomes: unknown[] = []
  for (const host of ['127.0.0.1', '127.0.0.2'] as const) {
    const server = await openMailServer(host)
    context.after(() => server.close())
    const mail = openMail({ ...server.smtp, login }, { log: { info() {}, warn() {} } as never })
    const isTaken = await mail.deliver(letter).then(
      () => true,
      () => false,
    )
    outcomes.push([isTaken, server.logins, server.letters.length])
  }
  assert.deepEqual(outcomes, [
    [true, ['papers:sesame'], 1],
    [false, [], 0],
  ])
})

test('without a mail server nothing is sent, and nobody is kept waiting at the end', async () => {
  const mail = openMail(null, { log: { info() {}, warn() {} } as never })
  mail.send(letter)
  await assert.rejects(mail.deliver(letter), /there is no mail server/)
  await mail.close()
  assert.equal(mail.isConfigured, false)
})

test('the end does not wait for a server that is gone', async (context) => {
  const { server, mail } = await open(context, [600_000])
  await server.close()
  mail.send(letter)
  await mail.close()
  assert.deepEqual(server.letters, [])
})
