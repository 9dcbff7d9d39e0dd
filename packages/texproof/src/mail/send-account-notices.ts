import type { Logger } from 'pino'

import type { Config } from '../config/read-config.ts'
import type { NewAccountEvent } from '../store/users/account-events.ts'
import type { Store } from '../store/store.ts'
import type { Mail } from './open-mail.ts'
import { isEmailedEvent, writeAccountNotice } from './account-notice-email.ts'

/**
 * Emails account events to the owners of the accounts. It subscribes to the event log, so code that changes an account
 * knows about email. Users without an email address see the events on their security page only. `whenQueued` resolves
 * when the emails of all events so far are queued.
 */
export function sendAccountNotices({
  config,
  log,
  store,
  mail,
}: {
  readonly config: Pick<Config, 'baseUrl' | 'name'>
  readonly log: Pick<Logger, 'error'>
  readonly store: Store
  readonly mail: Mail
}): { whenQueued(): Promise<void> } {
  let queued: Promise<void> = Promise.resolve()
  if (mail.isConfigured)
    store.events.onAdd((event) => {
      queued = queued
        .then(() => sendNotice(event))
        .catch((error: unknown) =>
          log.error({ component: 'mail', err: error, kind: event.kind }, 'email about an account event was not queued'),
        )
    })
  return { whenQueued: () => queued }

  async function sendNotice(event: NewAccountEvent): Promise<void> {
    const { kind, userId, actorId, address = null, detail = null } = event
    if (userId === null || !isEmailedEvent(event)) return
    const user = await store.users.findById(userId)
    if (user === null || user.email === null) return
    if (user.isDisabled && kind !== 'user-disabled') return
    const link = `${config.baseUrl}/settings/security`
    const { login, email: to } = user
    const isOwn = actorId === userId
    mail.send(writeAccountNotice({ kind, to, login, host: config.name, detail, address, at: new Date(), link, isOwn }))
  }
}
