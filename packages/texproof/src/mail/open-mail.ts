/**
 * The host's letters. They are handed over one at a time, off every request: nobody waits for a mail server, and how
 * long an answer takes tells nothing about who has an account. A server that does not answer is asked again, also after
 * a restart, until the letter is of no more use.
 */
import { setTimeout as pause } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { SmtpConfig } from '../config/read-config.ts'
import { deliverLetter } from './deliver-email.ts'
import type { Letter } from './email.ts'
import type { DueLetter, Outbox } from './email-queue.ts'

/** Takes letters. */
export interface Mail {
  /** Whether there is a mail server at all. */
  readonly isConfigured: boolean
  /** Puts a letter into the queue; nothing happens without a mail server, or when the queue is full. */
  send(letter: Letter): void
  /** Waits until what was sent is handed over or has to wait, and for so many milliseconds at most. */
  settle(forMs: number): Promise<void>
  /** Waits a moment for the letter under way; the rest is sent after the next start. */
  close(): Promise<void>
}

/** What the letters need of the house. */
export interface MailOptions {
  readonly outbox: Outbox
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Waits before another attempt. @default a second, half a minute, five minutes, half an hour, two hours */
  readonly retryAfterMs?: readonly number[]
}

const defaultRetryAfterMs = [1_000, 30_000, 300_000, 1_800_000, 7_200_000]
/** How soon a letter is noticed that another process wrote. */
const lookEveryMs = 15_000
const lastLetterMs = 5_000

/** Opens the way to the mail server, and hands over what waits from before. */
export function openMail(smtp: SmtpConfig | null, options: MailOptions): Mail {
  const { outbox, log } = options
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  /** Letters on their way into the outbox, and out of it: a slow mail server keeps none from being written down. */
  let puts: Promise<void> = Promise.resolve()
  let work: Promise<void> = Promise.resolve()
  const fault = (error: unknown): void => log.error({ err: error, component: 'mail' }, 'letters wait')

  /** One after the other, whoever asks for it. */
  const look = (): Promise<void> => (work = work.then(handOver).catch(fault))
  const lookLater = (waitMs: number): void => {
    clearTimeout(timer)
    if (!isClosed && smtp !== null) timer = setTimeout(look, waitMs).unref()
  }
  const handOver = async (): Promise<void> => {
    for (let due = await takeNext(); due !== null; due = await takeNext()) await attempt(due)
    lookLater(Math.min((await outbox.findWaitMs()) ?? lookEveryMs, lookEveryMs))
  }
  const put = async (letter: Letter): Promise<void> => {
    logExpired(log, await outbox.removeExpired())
    if (await outbox.put(letter)) lookLater(0)
    else log.warn({ component: 'mail', letter: letter.kind }, 'letter dropped: too many wait')
  }
  /** Looks before it takes: to take is to write, and every write empties the caches of what was read. */
  const takeNext = async (): Promise<DueLetter | null> =>
    isClosed || smtp === null || (await outbox.findWaitMs()) !== 0 ? null : outbox.take()
  const attempt = async (due: DueLetter): Promise<void> => {
    if (smtp !== null) await deliverOrPostpone(due, { ...options, smtp })
  }

  lookLater(0)
  return {
    isConfigured: smtp !== null,
    send(letter) {
      if (smtp === null || isClosed) return
      puts = puts.then(() => put(letter)).catch(fault)
    },
    async settle(forMs) {
      await Promise.race([puts.then(look), pause(forMs, undefined, { ref: false })])
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.race([Promise.all([puts, work]), pause(lastLetterMs, undefined, { ref: false })])
    },
  }
}

/** Logs emails that expired before the mail server accepted them. */
export function logExpired(log: Pick<Logger, 'warn'>, count: number): void {
  if (count > 0) log.warn({ component: 'mail', count }, 'emails expired before the mail server accepted them')
}

async function deliverOrPostpone(
  { id, attemptCount, letter }: DueLetter,
  { smtp, outbox, log, retryAfterMs = defaultRetryAfterMs }: MailOptions & { readonly smtp: SmtpConfig },
): Promise<void> {
  if (letter === null) {
    log.warn({ component: 'mail' }, 'letter given up: the key that it is sealed with is gone')
    return outbox.remove(id)
  }
  const problem = await deliverLetter(smtp, letter).then(
    () => null,
    (error: unknown) => describeProblem(error),
  )
  const line = { component: 'mail', letter: letter.kind }
  if (problem === null) {
    await outbox.remove(id)
    return log.info(line, 'letter handed over')
  }
  const waitMs = problem.isForGood ? undefined : retryAfterMs[attemptCount - 1]
  log.warn({ ...line, ...problem }, waitMs === undefined ? 'letter given up' : 'letter waits')
  await (waitMs === undefined ? outbox.remove(id) : outbox.postpone(id, waitMs))
}

/** What went wrong, without the words of the server: they hold addresses of people. */
function describeProblem(error: unknown): {
  readonly code: string
  readonly status: number | null
  readonly isForGood: boolean
} {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  return { code: typeof code === 'string' ? code : 'unknown', status, isForGood: status !== null && status >= 500 }
}
