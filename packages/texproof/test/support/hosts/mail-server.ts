import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

import type { SmtpConfig } from '../../../src/config/read-config.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

/** A real mail server on loopback that stores received emails. */
export interface MailServer {
  /** SMTP settings of a host that uses it. */
  readonly smtp: SmtpConfig
  /** All emails so far, decoded. */
  readonly emails: readonly ReceivedEmail[]
  /** Credentials it received. */
  readonly logins: readonly string[]
  /** Refuses the next emails with these responses. */
  refuse(answers: readonly Refusal[]): void
  /** Resolves after this number of emails. */
  whenReceived(count: number): Promise<void>
  close(): Promise<void>
}

/** A response to an email, or to an earlier step. */
interface Refusal {
  readonly code: number
  readonly words: string
  /** @default 'email' */
  readonly step?: 'login' | 'sender' | 'recipient' | 'email'
}

/** An email. */
export interface ReceivedEmail {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly headers: string
  readonly text: string
}

/**
 * Opens the server, without TLS or with STARTTLS and a self-signed certificate; 127.0.0.2 counts as another machine for
 * clients of 127.0.0.1.
 */
export async function openMailServer(
  host: '127.0.0.1' | '127.0.0.2' = '127.0.0.1',
  { offersTls = false } = {},
): Promise<MailServer> {
  const emails: ReceivedEmail[] = []
  const logins: string[] = []
  const refusals: Refusal[] = []
  const nextRefusal = (at: Refusal['step']): Error | null => {
    const [next] = refusals
    if (next === undefined || (next.step ?? 'email') !== at) return null
    refusals.shift()
    return Object.assign(new Error(next.words), { responseCode: next.code })
  }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username = '', password = '' }, _session, done) {
      logins.push(`${username}:${password}`)
      const refusal = nextRefusal('login')
      if (refusal === null) done(null, { user: username })
      else done(refusal)
    },
    onMailFrom: (_address, _session, done) => done(nextRefusal('sender')),
    onRcptTo: (_address, _session, done) => done(nextRefusal('recipient')),
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = nextRefusal('email')
        if (refusal !== null) {
          done(refusal)
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        emails.push(readEmail(Buffer.concat(chunks).toString('utf8'), { from, to: rcptTo.map((to) => to.address) }))
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    smtp: { host, port, isTls: false, login: null, from: 'Papers <papers@uni.example>' },
    emails,
    logins,
    refuse: (answers) => void refusals.push(...answers),
    async whenReceived(count) {
      await eventually(() => emails.length, { until: (received) => received >= count })
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function readEmail(raw: string, envelope: { readonly from: string; readonly to: readonly string[] }): ReceivedEmail {
  const [headers = '', ...parts] = raw.split('\r\n\r\n')
  const body = parts.join('\r\n\r\n')
  const isQuoted = /^content-transfer-encoding: quoted-printable/im.test(headers)
  const text = isQuoted
    ? body
        .replaceAll('=\r\n', '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : body
  const subject = /^subject: (.*(?:\r\n[ \t].*)*)/im.exec(headers)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ') ?? ''
  return { ...envelope, subject, headers, text: text.replaceAll('\r\n', '\n') }
}
