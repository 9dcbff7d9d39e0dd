import type { SmtpConfig } from '../config/read-config.ts'
import type { Email } from './email.ts'
import { openTransport } from './open-transport.ts'

/** Sends an email, without retry. @throws the error of the mail server. */
export async function deliverEmail(smtp: SmtpConfig, { to, subject, text }: Email): Promise<void> {
  const transport = await openTransport(smtp)
  try {
    const headers = { 'auto-submitted': 'auto-generated' }
    await transport.sendMail({ from: readSender(smtp.from), to: { name: '', address: to }, subject, text, headers })
  } finally {
    transport.close()
  }
}

/** Name and address. nodemailer would read a colon in the name as the start of a group, and parentheses as a comment. */
function readSender(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', address = from] = /^(.+) <(.+)>$/.exec(from) ?? []
  return { name, address }
}
