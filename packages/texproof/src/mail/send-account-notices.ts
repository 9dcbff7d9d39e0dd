import type { Logger } from 'pino'

import type { Config } from '../config/read-config.ts'
import type { NewAccountEvent } from '../store/users/account-events.ts'
import type { Store } from '../store/store.ts'
import type { Mail } from './open-mail.ts'
import { isNews, writeNotice } from './account-notice-email.ts'

/**
 * Tells the owners of accounts by letter what the log of accounts is told: so whatever part of the house changes an
 * account, nothing about letters stands there. People without an e-mail address are told by the security page alone.
 * What is returned waits until the letters of all that happened so far are in the queue.
 */
export function sendNotices({
  config,
  log,
  store,
  mail,
}: {
  readonly config: Pick<Config, 'baseUrl' | 'name'>
  readonly log: Pick<Logger, 'error'>
  readonly store: Store
  readonly mail: Mail
}): { whenTold(): Promise<void> } {
  let told: Promise<void> = Promise.resolve()
  if (mail.isConfigured)
    store.events.onAdd((event) => {
      told = told
        .then(() => sendNotice(event))
        .catch((error: unknown) =>
          log.error({ component: 'mail', err: error, kind: event.kind }, 'email about an account event was not queued'),
        )
    })
  return { whenTold: () => told }

  async function sendNotice(event: NewAccountEvent): Promise<void> {
    const { kind, userId, actorId, address = null, detail = null } = event
    if (userId === null || !isNews(event)) return
    const user = await store.users.findById(userId)
    if (user === null || user.email === null) return
    if (user.isDisabled && kind !== 'user-disabled') return
    const link = `${config.baseUrl}/settings/security`
    const { login, email: to } = user
    const isOwn = actorId === userId
    mail.send(writeNotice({ kind, to, login, host: config.name, detail, address, at: new Date(), link, isOwn }))
  }
}
