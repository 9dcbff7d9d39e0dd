import type { User } from '../../domain/types.ts'
import type { Session } from '../../store/users/sessions.ts'
import type { Store } from '../../store/store.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'

/** The browser that sent a request. */
export interface Client {
  readonly address: string
  readonly agent: string
}

const rememberedMs = 30 * 86_400_000
const shortMs = 12 * 3_600_000
/** Unused sessions expire after this time. */
const idleMs = 14 * 86_400_000
const seenStepMs = 5 * 60_000

/** A new session. Only this value and the browser have its secret. */
export interface OpenedSession {
  readonly secret: string
  /** Lifetime of the cookie; null = until the browser closes. */
  readonly maxAgeS: number | null
}

/** A sign-in: the browser, and how long the session lasts. */
export interface NewBrowser {
  readonly client: Client
  readonly isRemembered: boolean
  /** The sign-in method, for the log. @default password */
  readonly detail?: string | null
}

/** Signs a user in, always with a new secret, which prevents session fixation. */
export async function openSession(
  store: Store,
  user: User,
  { client, isRemembered, detail = null }: NewBrowser,
): Promise<OpenedSession> {
  const secret = makeSecretText()
  const lifeMs = isRemembered ? rememberedMs : shortMs
  await store.sessions.removeExpired(Date.now())
  await store.sessions.add({
    userId: user.id,
    hash: hashSecretText(secret),
    address: client.address,
    agent: client.agent.slice(0, 300),
    expiresAt: Date.now() + lifeMs,
  })
  const { address } = client
  await store.events.add({ kind: 'signed-in', userId: user.id, actorId: user.id, address, detail })
  return { secret, maxAgeS: isRemembered ? rememberedMs / 1000 : null }
}

/** The session and user of a secret; null if the session is unknown, ended or idle, or the user is disabled. */
export async function findSession(
  store: Store,
  secret: string,
  client: Client,
): Promise<{ readonly session: Session; readonly user: User } | null> {
  if (!/^[\w-]{43}$/.test(secret)) return null
  const found = await store.sessions.findByHash(hashSecretText(secret))
  if (found === null || found.user.isDisabled) return null
  const now = Date.now()
  const { session } = found
  if (session.expiresAt <= now || session.lastSeenAt + idleMs <= now) return null
  if (now - session.lastSeenAt >= seenStepMs)
    // Only the list of sessions shows it: if the database is locked, the next request sets the time.
    void store.sessions.setSeen(session.id, { at: now, address: client.address }).catch(() => {})
  return found
}
