import type { Readable } from 'node:stream'

import type { Limiter } from '../../base/limiter.ts'
import type { Pace } from '../../base/pace.ts'
import type { RateLimiter } from '../../base/rate-limiter.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { CheckedPush } from '../../git/protocol/check-push.ts'
import type { PushMemory } from '../../git/protocol/push-memory.ts'
import type { PushCommands } from '../../git/protocol/read-push-commands.ts'
import type { Deps } from '../../operations/deps.ts'
import type { QueuedPush } from '../../papers/types.ts'

export type PushDeps = Deps & {
  /** Limits concurrent pushes of each user and of all users: the others wait before their data is read. */
  readonly pushes: Limiter
  /** Gives each push that runs its memory. */
  readonly pushMemory: PushMemory
  /** Between two starts of git. */
  readonly pace: Pace
  /** Anonymous clones and fetches. */
  readonly fetches: RateLimiter
  /** How often a request that waits for its turn is kept open. */
  readonly keepAliveMs: number
  /** Most time that a push waits for its PDF. */
  readonly patienceMs: number
}

/** The repository that a push is for, or that it creates. */
export interface PushTarget {
  readonly owner: User
  readonly find: () => Promise<PushedRepository>
}

/** The repository of a push, and the first lines printed to its user. */
export interface PushedRepository {
  readonly repository: Repository
  readonly news: readonly string[]
  /** Called when the push has ended. Removes a repository that was created for it if it moved no ref. */
  readonly removeUnpushed: () => Promise<void>
}

/** A push with its refs read and checked. */
export interface ReadPush extends CheckedPush {
  readonly push: PushCommands
  /** The pack. */
  readonly body: Readable
  /** Why the whole push is refused; null = its refs are checked one by one. */
  readonly problem: string | null
}

/** Result of git for a push. */
export interface TakenPush {
  /** Lines of git's report. */
  readonly report: readonly Uint8Array[]
  readonly repository: Repository
  /** Messages for the user, before those about builds. */
  readonly lines: readonly string[]
  readonly queued: Promise<readonly QueuedPush[]>
}
