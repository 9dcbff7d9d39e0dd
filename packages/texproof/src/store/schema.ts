import type { Generated } from 'kysely'

import type { AccountSchema } from './account-schema.ts'

/** One schema for SQLite and PostgreSQL. Flags are 0 or 1, times epoch milliseconds, `*_key` the lower-cased form of a name. */
export interface Schema extends AccountSchema {
  user: UserTable
  token: TokenTable
  repository: RepositoryTable
  collaborator: CollaboratorTable
  star: StarTable
  build: BuildTable
  share_link: ShareLinkTable
  deleted_branch: DeletedBranchTable
  former_name: FormerNameTable
  push: PushTable
  quota: QuotaTable
  push_journal: PushJournalTable
  shared_draft: SharedDraftTable
  draft_update: DraftUpdateTable
  draft_author: DraftAuthorTable
  worker_key: WorkerKeyTable
  worker: WorkerTable
  template: TemplateTable
  webhook: WebhookTable
  repository_invitation: RepositoryInvitationTable
  repository_transfer: RepositoryTransferTable
  dictionary_word: DictionaryWordTable
  webhook_delivery: WebhookDeliveryTable
  instance: InstanceTable
  repository_lock: RepositoryLockTable
  mirror: MirrorTable
}

export interface UserTable {
  id: string
  login: string
  login_key: string
  name: string | null
  bio: string | null
  email: string | null
  email_key: string | null
  password_hash: string | null
  avatar_id: string | null
  is_admin: number
  is_disabled: number
  created_at: number
  updated_at: number
}

export interface TokenTable {
  id: Generated<number>
  user_id: string
  name: string
  /** SHA-256 of the token, hex. The token itself is not stored. */
  hash: string
  /** Space-separated. */
  scopes: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
  /** The last use, such as `POST /user/repos`. */
  last_used_route: string | null
  last_refused_at: number | null
  last_refused_route: string | null
}

export interface RepositoryTable {
  id: Generated<number>
  owner_id: string
  name: string
  name_key: string
  /** `login_key/name_key`, for sorting and look-ups. */
  full_name_key: string
  description: string | null
  visibility: 'public' | 'private'
  default_branch: string
  is_archived: number
  is_disabled: number
  disabled_reason: string | null
  /** `creating` until the git directory exists; such a row is invisible and swept at the next start. */
  state: 'creating' | 'ready' | 'trashed' | 'removing'
  star_count: number
  created_at: number
  updated_at: number
  /** null = never, or before this was recorded. */
  pushed_at: number | null
  /** When it was moved to the trash; null for all others. */
  trashed_at: Generated<number | null>
  /** Size of the git directory after the last push; null = not measured yet. */
  size_bytes: Generated<number | null>
  /** Grows when refs have moved; on PostgreSQL only, where several servers cache refs. */
  ref_generation: Generated<number>
  /** The address of the source of a mirror; null for all others. */
  mirror_url: Generated<string | null>
}

export interface CollaboratorTable {
  repository_id: number
  user_id: string
  permission: 'pull' | 'push' | 'admin'
  created_at: number
}

export interface StarTable {
  repository_id: number
  user_id: string
  created_at: number
}

/** One build of one document at one commit. */
export interface BuildTable {
  id: Generated<number>
  repository_id: number
  /** 1, 2, 3 … within the repository. */
  number: number
  /** Full name of the ref that requested it, `refs/heads/main`. */
  ref: string
  commit_id: string
  tree_id: string
  /** Path of the root file in the tree. */
  root_file: string
  /** Name of the PDF without `.pdf`; unique among the documents of one tree. */
  document: string
  engine: string
  bibliography: string
  /** Why this document and engine were chosen, as text. */
  reason: string
  /** `succeeded` = a PDF without errors; `failed` = errors, perhaps with a PDF. */
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  /** SHA-256 of the PDF in the PDF store; null without one. */
  pdf_id: string | null
  page_count: number | null
  error_count: number
  warning_count: number
  /** JSON: `{ errors, warnings }` in the format of the compile service. */
  diagnostics: string
  /** JSON: one entry per pass, in order: `{ program, reason, durationMs, exitCode, timedOut }`. */
  passes: string
  created_at: number
  started_at: number | null
  finished_at: number | null
  /** The process that runs it or ran it last; null = none, or before leases existed. */
  worker: Generated<string | null>
  /** When a running build counts as abandoned, unless its worker renews the lease. */
  lease_expires_at: Generated<number | null>
  /** How often it was started. */
  attempt: Generated<number>
  /** How often its worker was lost. */
  lost_leases: Generated<number>
  /** For a build of a former branch, whose name was used again: the id of the branch's last build. Otherwise null. */
  ended_with_id: Generated<number | null>
}

export interface ShareLinkTable {
  id: Generated<number>
  repository_id: number
  created_by: string
  /** SHA-256 of the text in the address, hex. */
  hash: string
  /** The text, sealed; null once revoked, and for links created before it was stored. */
  sealed: string | null
  /** Full name of the ref to follow, or the id of a fixed commit. */
  ref: string
  document: string | null
  view_count: number
  created_at: number
  expires_at: number | null
  revoked_at: number | null
}

/** A branch that was deleted in the browser and can be restored. */
export interface DeletedBranchTable {
  id: Generated<number>
  repository_id: number
  name: string
  commit_id: string
  deleted_by: string | null
  deleted_at: number
  /** null = it was never built. */
  last_build_id: Generated<number | null>
}

/** A former name of a repository, which redirects to it. */
export interface FormerNameTable {
  full_name_key: string
  repository_id: number
  renamed_at: number
}

/** Limits of one user; null = the limit of the host. */
export interface QuotaTable {
  user_id: string
  repositories: number | null
  storage_bytes: number | null
  build_minutes: number | null
  concurrent_pushes: number | null
}

/** One branch or tag that was moved by a push. */
export interface PushTable {
  id: Generated<number>
  repository_id: number
  user_id: string
  ref: string
  /** null = it was created. */
  old_commit_id: string | null
  /** null = it was deleted. */
  new_commit_id: string | null
  created_at: number
}

/** A push whose refs may have moved, and for which post-receive has not run yet. */
export interface PushJournalTable {
  id: Generated<number>
  repository_id: number
  user_id: string | null
  /** JSON: `[{ ref, oldCommitId, newCommitId }]`. */
  updates: string
  created_at: number
  /** The server that completes it; null on SQLite, which has one. */
  instance_id: Generated<string | null>
}

/** A server of a PostgreSQL database. */
export interface InstanceTable {
  id: string
  /** Name of its machine. */
  host: string
  /** Grows while it is alive. */
  beat: number
  started_at: number
}

/** The right to move refs of a repository. */
export interface RepositoryLockTable {
  repository_id: number
  instance_id: string
  /** The push of the holder. */
  entry_id: number
}

/** A text changed in the editor and not committed. */
export interface SharedDraftTable {
  id: Generated<number>
  repository_id: number
  /** Short name. */
  branch: string
  path: string
  epoch: string
  state: Uint8Array
  size_bytes: number
  /** The commit at which the text was opened. */
  opened_id: string
  revision: number
  /** 0 = the text equals `opened_id`; kept for browsers that were offline. */
  is_changed: number
  creator_id: string | null
  updated_at: number
}

/** A change that `state` of the draft does not contain yet. */
export interface DraftUpdateTable {
  draft_id: number
  revision: number
  bytes: Uint8Array
}

/** Users who changed a draft since the last commit. */
export interface DraftAuthorTable {
  draft_id: number
  user_id: string
  /** Revision of the last change of this user. */
  revision: number
}

/** A key with which workers take builds. */
export interface WorkerKeyTable {
  id: Generated<number>
  name: string
  /** SHA-256 of the key, hex. The key itself is not stored. */
  hash: string
  created_at: number
}

/** A worker process, as it last reported. */
export interface WorkerTable {
  id: string
  key_id: number
  name: string
  slots: number
  running: number
  tex_release: string | null
  package_count: number
  version: string
  seen_at: number
}

/** A repository that its owner offers as a template. */
export interface TemplateTable {
  repository_id: number
  /** Whether it is listed in the gallery of the host. */
  is_listed: number
}

/** An address that receives the events of a repository. */
export interface WebhookTable {
  id: Generated<number>
  repository_id: number
  url: string
  sealed_secret: string
  /** Space-separated. */
  events: string
  is_active: number
  created_at: number
}

/** An event for a webhook, and the last attempt to send it. */
export interface WebhookDeliveryTable {
  id: Generated<number>
  /** GUID, shared by a delivery and its redeliveries. */
  guid: string
  webhook_id: number
  repository_id: number
  /** Host and port of the address. */
  receiver: string
  event: 'push' | 'build' | 'create' | 'delete' | 'ping'
  /** JSON: the ref or build that the event is about. */
  subject: string
  /** JSON, as sent; null before the first attempt. */
  payload: string | null
  state: 'queued' | 'delivered' | 'failed'
  attempt_count: number
  /** When the next attempt is due. While one is being made: when it counts as lost. */
  due_at: number
  created_at: number
  sent_at: number | null
  duration_ms: number | null
  request_headers: string | null
  response_status: number | null
  response_headers: string | null
  response_body: string | null
  problem: string | null
}

/** A link that makes one person a collaborator. */
export interface RepositoryInvitationTable {
  id: Generated<number>
  repository_id: number
  created_by: string
  /** SHA-256 of the text in the link, hex. The text itself is not stored. */
  hash: string
  email: string | null
  permission: 'pull' | 'push'
  created_at: number
  expires_at: number
}

/** A repository offered to another user. */
export interface RepositoryTransferTable {
  repository_id: number
  /** The user who may accept. */
  user_id: string
  expires_at: number
}

/** A repository that follows `mirror_url`, a repository on another server. */
export interface MirrorTable {
  repository_id: number
  due_at: number
  is_fetching: Generated<number>
  fetched_at: number
  /** Why the last fetch failed. */
  problem: string | null
  failure_count: Generated<number>
  rewritten_at: number | null
  /** JSON array of short names. */
  rewritten_refs: string | null
}

/** A word that the spelling of the editor accepts, for one user or in one repository. */
export interface DictionaryWordTable {
  id: Generated<number>
  user_id: string | null
  repository_id: number | null
  word: string
}
