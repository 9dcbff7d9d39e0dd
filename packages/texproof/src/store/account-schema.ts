import type { Generated } from 'kysely'

/** Tables of accounts: sessions, credentials and events. Secrets are stored only as hashes, or sealed. */
export interface AccountSchema {
  session: SessionTable
  one_time_code: OneTimeCodeTable
  account_event: AccountEventTable
  host_setting: HostSettingTable
  second_factor: SecondFactorTable
  recovery_code: RecoveryCodeTable
  passkey: PasskeyTable
  identity: IdentityTable
  avatar: AvatarTable
  letter: QueuedEmailTable
  throttle: ThrottleTable
}

/** Attempts counted by throttles. Used on PostgreSQL only: SQLite has one server, which counts in memory. */
export interface ThrottleTable {
  /** SHA-256 of the name of the throttle and its key, hex. */
  key_hash: string
  failure_count: number
  blocked_until: number
  /** Epoch milliseconds: failures before it are forgotten already. */
  changed_at: number
}

export interface SessionTable {
  id: Generated<number>
  user_id: string
  /** SHA-256 of the cookie's value, hex. */
  hash: string
  address: string
  agent: string
  created_at: number
  last_seen_at: number
  expires_at: number
  /** When the user last confirmed their identity. */
  confirmed_at: number
}

export interface OneTimeCodeTable {
  /** SHA-256 of the code, hex. */
  hash: string
  purpose: string
  user_id: string | null
  email: string | null
  created_by: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

export interface AccountEventTable {
  id: Generated<number>
  kind: string
  /** The account that the event is about; null = the host. */
  user_id: string | null
  /** The actor; null = the command line or anonymous. */
  actor_id: string | null
  address: string | null
  detail: string | null
  created_at: number
}

export interface HostSettingTable {
  key: string
  value: string
}

export interface SecondFactorTable {
  user_id: string
  /** The shared secret, sealed with the key of the data directory. */
  sealed_secret: string
  /** The last 30-second interval whose code was used: no code works twice. */
  last_step: number
  confirmed_at: number | null
}

export interface RecoveryCodeTable {
  user_id: string
  hash: string
}

export interface PasskeyTable {
  /** The credential id of the authenticator, base64url. */
  id: string
  user_id: string
  name: string
  /** COSE, base64url. */
  public_key: string
  counter: number
  /** Space-separated. */
  transports: string
  created_at: number
  last_used_at: number | null
}

export interface IdentityTable {
  issuer: string
  subject: string
  user_id: string
  created_at: number
}

export interface QueuedEmailTable {
  id: Generated<number>
  /** Sealed with the key of the data directory. */
  sealed: string
  attempt_count: number
  due_at: number
  expires_at: number
}

export interface AvatarTable {
  /** SHA-256 of the bytes, hex. */
  id: string
  content_type: string
  bytes: Uint8Array
}
