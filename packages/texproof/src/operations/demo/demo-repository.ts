import type { Visibility } from '../../domain/types.ts'

/** People of the demonstration; made up. In the order in which the record has their ids. */
export const demoUsers = ['alice', 'bob'] as const

export type DemoUser = (typeof demoUsers)[number]

/** A repository of the demonstration, told as its history. */
export interface DemoRepository {
  readonly owner: DemoUser
  readonly name: string
  readonly description: string
  readonly visibility: Visibility
  readonly isArchived?: true
  readonly commits: readonly DemoCommit[]
}

/** One commit of it. */
export interface DemoCommit {
  /** @default 'main' */
  readonly branch?: string
  /** The branch that a new one leaves. @default 'main' */
  readonly from?: string
  readonly message: string
  /** @default the owner */
  readonly author?: DemoUser
  readonly hoursAgo: number
  /** Path → text or bytes of the files that change. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  readonly tag?: string
}
