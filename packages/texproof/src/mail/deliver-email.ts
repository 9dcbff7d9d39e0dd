import type { SmtpConfig } from '../config/read-config.ts'
import type { Letter } from './email.ts'
import { openTransport } from './open-transport.ts'

/** Hands a letter over, once. @throws the mail server's refusal. */
export async function deliverLetter(smtp: SmtpConfig, { to, subject, text }: Letter): Promise<void> {
  const transport = await openTransport(smtp)
  try {
    const headers = { 'auto-submitted': 'auto-generated' }
    await transport.sendMail({ from: smtp.from, to: { name: '', address: to }, subject, text, headers })
  } finally {
    transport.close()
  }
}
