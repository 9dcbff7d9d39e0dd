/**
 * Sends the emails of the host, one at a time and outside requests: no request waits for a mail server, and response
 * times do not reveal who has an account. A failed delivery is retried, even after a restart, until the email expires.
 */
import { setTimeout as pause } from 'node:timers/promises'

import type { Logger } from 'pino'

import { createFaultLog } from '../base/log/fault-log.ts'
import type { SmtpConfig } from '../config/read-config.ts'
import { deliverEmail } from './deliver-email.ts'
import type { Email } from './email.ts'
import type { DueEmail, EmailQueue } from './email-queue.ts'

/** Sends emails. */
export interface Mail {
  /** Whether a mail server is set. */
  readonly isConfigured: boolean
  /** Queues an email; drops it without a mail server, or when the queue is full. */
  send(email: Email): void
  /** Waits until the queued emails are sent or postponed, at most `forMs` milliseconds. */
  settle(forMs: number): Promise<void>
  /** Waits briefly for the email being sent; the others are sent after the next start. */
  close(): Promise<void>
}

/** Options for sending email. */
export interface MailOptions {
  readonly queue: EmailQueue
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Delays of the retries; the last one repeats. @default a second, half a minute, five minutes, half an hour, two hours */
  readonly retryAfterMs?: readonly number[]
}

const defaultRetryAfterMs = [1_000, 30_000, 300_000, 1_800_000, 7_200_000]
/** How soon an email queued by another process is noticed. */
const lookEveryMs = 15_000
const lastEmailMs = 5_000

/** Starts sending, beginning with the emails that are queued already. */
export function openMail(smtp: SmtpConfig | null, options: MailOptions): Mail {
  const { queue, log } = options
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  /** Emails being queued, and being sent: a slow mail server does not delay queueing. */
  let puts: Promise<void> = Promise.resolve()
  let work: Promise<void> = Promise.resolve()
  const fault = (error: unknown): void => log.error({ err: error, component: 'mail' }, 'email queue failed')
  const lookFaults = createFaultLog(log, 'send queued emails', { component: 'mail' })

  /** One run at a time. */
  const look = (): Promise<void> =>
    (work = work.then(handOver).then(lookFaults.succeed, (error: unknown) => {
      lookFaults.fail(error)
      // The database may be available again.
      lookLater(lookEveryMs)
    }))
  const lookLater = (waitMs: number): void => {
    clearTimeout(timer)
    if (!isClosed && smtp !== null) timer = setTimeout(look, waitMs).unref()
  }
  const handOver = async (): Promise<void> => {
    for (let due = await takeNext(); due !== null; due = await takeNext()) await attempt(due)
    lookLater(Math.min((await queue.findWaitMs()) ?? lookEveryMs, lookEveryMs))
  }
  const put = async (email: Email): Promise<void> => {
    logExpired(log, await queue.removeExpired())
    if (await queue.put(email)) lookLater(0)
    else log.warn({ component: 'mail', email: email.kind }, 'email dropped: the queue is full')
  }
  /** Reads before it takes: taking writes, and every write invalidates the read cache. */
  const takeNext = async (): Promise<DueEmail | null> =>
    isClosed || smtp === null || (await queue.findWaitMs()) !== 0 ? null : queue.take()
  const attempt = async (due: DueEmail): Promise<void> => {
    if (smtp !== null) await deliverOrPostpone(due, { ...options, smtp })
  }

  lookLater(0)
  return {
    isConfigured: smtp !== null,
    send(email) {
      if (smtp === null || isClosed) return
      puts = puts.then(() => put(email)).catch(fault)
    },
    async settle(forMs) {
      await Promise.race([puts.then(look), pause(forMs, undefined, { ref: false })])
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.race([Promise.all([puts, work]), pause(lastEmailMs, undefined, { ref: false })])
    },
  }
}

/** Logs emails that expired before the mail server accepted them. */
export function logExpired(log: Pick<Logger, 'warn'>, count: number): void {
  if (count > 0) log.warn({ component: 'mail', count }, 'emails expired before the mail server accepted them')
}

async function deliverOrPostpone(
  { id, attemptCount, email }: DueEmail,
  { smtp, queue, log, retryAfterMs = defaultRetryAfterMs }: MailOptions & { readonly smtp: SmtpConfig },
): Promise<void> {
  if (email === null) {
    log.warn({ component: 'mail' }, 'email dropped: its sealing key is missing')
    return queue.remove(id)
  }
  const problem = await deliverEmail(smtp, email).then(
    () => null,
    (error: unknown) => describeProblem(error),
  )
  const line = { component: 'mail', email: email.kind }
  if (problem === null) {
    await queue.remove(id)
    return log.info(line, 'email sent')
  }
  const { isForGood, ...reason } = problem
  const waitMs = isForGood ? undefined : (retryAfterMs[attemptCount - 1] ?? retryAfterMs.at(-1))
  log.warn({ ...line, ...reason }, waitMs === undefined ? 'email dropped' : 'email postponed')
  await (waitMs === undefined ? queue.remove(id) : queue.postpone(id, waitMs))
}

/** What the log says about a failure. */
interface Problem {
  readonly code: string
  readonly status: number | null
  /** null = the mail server answered about a recipient or a message: its words contain addresses. */
  readonly reason: string | null
  readonly isForGood: boolean
}

function describeProblem(error: unknown): Problem {
  const { code, command, responseCode, message } = error as Partial<
    Record<'code' | 'command' | 'responseCode' | 'message', unknown>
  >
  const status = typeof responseCode === 'number' ? responseCode : null
  // A refused login or sender is a fault of the settings, and not of this email.
  const isAboutEmail = command === 'RCPT TO' || code === 'EMESSAGE'
  const isForGood = isAboutEmail && status !== null && status >= 500
  const reason = isAboutEmail || typeof message !== 'string' ? null : message
  return { code: typeof code === 'string' ? code : 'unknown', status, reason, isForGood }
}
