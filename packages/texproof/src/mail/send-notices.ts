import type { Config } from '../config.ts'
import type { NewAccountEvent } from '../store/account-events.ts'
import type { Store } from '../store/store.ts'
import type { Mail } from './open-mail.ts'
import { isNews, writeNotice } from './write-notice.ts'

/**
 * Tells the owners of accounts by letter what the log of accounts is told: so whatever part of the house changes an
 * account, nothing about letters stands there. People without an e-mail address are told by the security page alone.
 */
export function sendNotices({
  config,
  store,
  mail,
}: {
  readonly config: Pick<Config, 'baseUrl' | 'name'>
  readonly store: Store
  readonly mail: Mail
}): void {
  if (mail.isConfigured) store.events.onAdd((event) => void sendNotice(event).catch(() => {}))

  /** Rejects only when the database is held; the event itself is in the log by then. */
  async function sendNotice({ kind, userId, address = null, detail = null }: NewAccountEvent): Promise<void> {
    if (userId === null || !isNews(kind)) return
    const user = await store.users.findById(userId)
    if (user === null || user.email === null || user.isDisabled) return
    const link = `${config.baseUrl}/settings/security`
    const { login, email: to } = user
    mail.send(writeNotice({ kind, to, login, host: config.name, detail, address, at: new Date(), link }))
  }
}
