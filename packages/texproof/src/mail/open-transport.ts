import type { Transporter } from 'nodemailer'

import type { SmtpConfig } from '../config/read-config.ts'

const timeLimitMs = 30_000

/** Opens a connection to the mail server. It reads no file and no URL that an email names. */
export async function openTransport({ host, port, isTls, login }: SmtpConfig): Promise<Transporter> {
  // Loaded on demand: many hosts send no email.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isTls,
    // Passwords require TLS, except on this machine.
    requireTLS: login !== null && !isHere(host),
    // Mail servers of distributions offer STARTTLS with a self-signed certificate, which names no `localhost`.
    ...(!isTls && isHere(host) ? { tls: { rejectUnauthorized: false } } : {}),
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: timeLimitMs,
    greetingTimeout: timeLimitMs,
    socketTimeout: timeLimitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '::1'
}
