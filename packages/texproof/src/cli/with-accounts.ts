import type { Config } from '../config/read-config.ts'
import type { Mail } from '../mail/open-mail.ts'
import type { Store } from '../store/store.ts'
import { withNewStore, withStore } from './with-store.ts'

/** Emails not sent by then are sent by the server. */
const emailTimeMs = 10_000

/** Queues the emails that a command writes itself. */
export type CommandMail = Pick<Mail, 'isConfigured' | 'send'>

type UseAccounts<Result> = (store: Store, mail: CommandMail) => Promise<Result>

const noMail: CommandMail = { isConfigured: false, send() {} }

/**
 * Opens the database for a command that changes accounts: their owners are notified by email, as for changes in the
 * browser.
 */
export function withAccounts<Result>(config: Config, use: UseAccounts<Result>): Promise<Result> {
  return withStore(config, (store) => notifyOwners(config, store, use))
}

/** Like `withAccounts`, but creates a missing database: for commands that create hosts. */
export function withNewAccounts<Result>(config: Config, use: UseAccounts<Result>): Promise<Result> {
  return withNewStore(config, (store) => notifyOwners(config, store, use))
}

async function notifyOwners<Result>(config: Config, store: Store, use: UseAccounts<Result>): Promise<Result> {
  const { smtp, dataDir } = config
  if (smtp === null) return use(store, noMail)
  const [{ openMail }, { openEmailQueue }, { sendAccountNotices }, { createLogger }] = await Promise.all([
    import('../mail/open-mail.ts'),
    import('../mail/email-queue.ts'),
    import('../mail/send-account-notices.ts'),
    import('./create-logger.ts'),
  ])
  // Refused emails stay queued, and the server logs its own attempts; other errors are printed here.
  const log = createLogger({ level: 'error', format: 'pretty' })
  const mail = openMail(smtp, { log, queue: openEmailQueue(store.queuedEmails, { dataDir }) })
  const notices = sendAccountNotices({ config, log, store, mail })
  try {
    const result = await use(store, mail)
    await notices.whenQueued()
    await mail.settle(emailTimeMs)
    return result
  } finally {
    await mail.close()
  }
}
