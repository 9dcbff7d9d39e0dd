import type { Transporter } from 'nodemailer'

import type { SmtpConfig } from '../config/read-config.ts'

const timeLimitMs = 30_000

/** A way to the mail server, for one letter or one question. It reads no file and no address that a letter names. */
export async function openTransport({ host, port, isTls, login }: SmtpConfig): Promise<Transporter> {
  // Loaded where letters go out, which many hosts never see.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: isTls,
    // A password goes over a line that nobody reads; on this machine there is nobody.
    requireTLS: login !== null && !isHere(host),
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
