/**
 * Tells the other instances that something has changed, with LISTEN and NOTIFY. Notifications can be lost, so they only
 * make caches and queues faster: everything is also checked at intervals.
 */
import { randomUUID } from 'node:crypto'

import { Client } from 'pg'

import { advisoryLocks, lockSpace } from './advisory-locks.ts'
import { clientConfig } from './postgres-pool.ts'

/** The notifications of one instance. */
export interface ChangeChannel {
  /** Notifies the other instances, soon; many calls become one notification. */
  notify(): void
  close(): Promise<void>
}

/** Options of the channel. */
export interface ChangeChannelOptions {
  /** Called when another instance has changed something, and whenever notifications may have been lost. */
  readonly onChange: () => void
  /** Marks the database as served, see `isServed`. */
  readonly isServer: boolean
}

const CHANNEL = 'texproof'
/** Changes within this time share a notification. */
const collectMs = 5
const reconnectMs = 1_000

/** Opens the channel in the background; it reconnects until it is closed. */
export function openChangeChannel(url: string, { onChange, isServer }: ChangeChannelOptions): ChangeChannel {
  const id = randomUUID()
  let client: Client | null = null
  let isClosed = false
  let waiting: NodeJS.Timeout | null = null
  let sending: Promise<void> = Promise.resolve()
  let reconnecting: NodeJS.Timeout | null = null
  let connecting = connect()

  async function connect(): Promise<void> {
    const fresh = new Client(clientConfig(url, { isLimited: false }))
    fresh.on('notification', ({ payload }) => {
      if (payload !== id) onChange()
    })
    fresh.on('error', () => {}) // It is followed by `end`.
    fresh.once('end', () => {
      if (client === fresh) client = null
      if (!isClosed) reconnecting = setTimeout(reconnect, reconnectMs).unref()
    })
    try {
      await fresh.connect()
      await fresh.query(`listen ${CHANNEL}`)
      if (isServer) await fresh.query('select pg_advisory_lock_shared($1, $2)', [lockSpace, advisoryLocks.servers])
      client = fresh
      onChange()
    } catch {
      await fresh.end().catch(() => {}) // Not connected: `end` starts the next attempt.
    }
  }
  function reconnect(): void {
    connecting = connect()
  }
  function send(): void {
    waiting = null
    sending = sending.then(async () => {
      // Without a connection there is no notification: other servers detect the change at their next check.
      await client?.query('select pg_notify($1, $2)', [CHANNEL, id]).catch(() => {}) // the connection is lost
    })
  }

  return {
    notify() {
      waiting ??= setTimeout(send, collectMs).unref()
    },
    async close() {
      isClosed = true
      await connecting
      if (reconnecting !== null) clearTimeout(reconnecting)
      if (waiting !== null) {
        clearTimeout(waiting)
        send()
      }
      await sending
      await client?.end().catch(() => {}) // The server has closed the connection.
    },
  }
}
