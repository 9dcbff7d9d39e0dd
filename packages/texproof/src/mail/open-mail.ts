/**
 * The host's letters. They are handed over one at a time, off every request: nobody waits for a mail server, and how
 * long an answer takes tells nothing about who has an account. A server that does not answer is asked again; letters
 * that wait at the end of the process are lost, since whoever misses one asks for another.
 */
import { setTimeout as pause } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { SmtpConfig } from '../config.ts'
import type { Letter } from './letter.ts'
import { openTransport } from './open-transport.ts'

/** Takes letters. */
export interface Mail {
  /** Whether there is a mail server at all. */
  readonly isConfigured: boolean
  /** Puts a letter into the queue; nothing happens without a mail server, or when the queue is full. */
  send(letter: Letter): void
  /** Hands a letter over now, once. @throws the mail server's refusal. */
  deliver(letter: Letter): Promise<void>
  /** Waits a moment for the letter under way, and drops the rest. */
  close(): Promise<void>
}

/** What differs in tests. */
export interface MailOptions {
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Waits before another attempt. @default a second, half a minute, five minutes */
  readonly retryAfterMs?: readonly number[]
}

const defaultRetryAfterMs = [1_000, 30_000, 300_000]
const maxQueued = 1_000
const lastLetterMs = 5_000

/** Opens the way to the mail server; nothing is sent before the first letter. */
export function openMail(smtp: SmtpConfig | null, options: MailOptions): Mail {
  const { log, retryAfterMs = defaultRetryAfterMs } = options
  const end = new AbortController()
  let queued = 0
  let last: Promise<void> = Promise.resolve()

  const deliver = async (letter: Letter): Promise<void> => {
    if (smtp === null) throw new Error('there is no mail server')
    await handOver(smtp, letter)
  }
  const deliverPatiently = async (letter: Letter): Promise<void> => {
    for (const waitMs of [...retryAfterMs, null]) {
      if (end.signal.aborted) return
      const problem = await deliver(letter).then(
        () => null,
        (error: unknown) => describeProblem(error),
      )
      if (problem === null) return log.info({ component: 'mail', letter: letter.kind }, 'letter handed over')
      const isLast = waitMs === null || problem.isForGood
      log.warn({ component: 'mail', letter: letter.kind, ...problem }, isLast ? 'letter given up' : 'letter waits')
      if (isLast) return
      await pause(waitMs, undefined, { signal: end.signal, ref: false }).catch(() => {})
    }
  }

  return {
    isConfigured: smtp !== null,
    deliver,
    send(letter) {
      if (smtp === null || end.signal.aborted || queued >= maxQueued) return
      queued += 1
      last = last.then(() => deliverPatiently(letter)).finally(() => (queued -= 1))
    },
    async close() {
      end.abort()
      await Promise.race([last, pause(lastLetterMs, undefined, { ref: false })])
    },
  }
}

async function handOver(smtp: SmtpConfig, { to, subject, text }: Letter): Promise<void> {
  const transport = openTransport(smtp)
  try {
    const headers = { 'auto-submitted': 'auto-generated' }
    await transport.sendMail({ from: smtp.from, to: { name: '', address: to }, subject, text, headers })
  } finally {
    transport.close()
  }
}

/** What went wrong, without the words of the server: they hold addresses of people. */
function describeProblem(error: unknown): {
  readonly code: string
  readonly status: number | null
  isForGood: boolean
} {
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  const status = typeof responseCode === 'number' ? responseCode : null
  return { code: typeof code === 'string' ? code : 'unknown', status, isForGood: status !== null && status >= 500 }
}
