import type { Visibility } from '../../domain/types.ts'

/** Fictional users of the demo, in the order of their ids in the record. */
export const demoUsers = ['alice', 'bob'] as const

export type DemoUser = (typeof demoUsers)[number]

/** A repository of the demo, described by its history. */
export interface DemoRepository {
  readonly owner: DemoUser
  readonly name: string
  readonly description: string
  readonly visibility: Visibility
  readonly isArchived?: true
  readonly commits: readonly DemoCommit[]
}

/** One commit of its history. */
export interface DemoCommit {
  /** @default 'main' */
  readonly branch?: string
  /** The branch that a new branch starts from. @default 'main' */
  readonly from?: string
  readonly message: string
  /** @default the owner */
  readonly author?: DemoUser
  readonly hoursAgo: number
  /** Path → text or bytes of the changed files. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  readonly tag?: string
}
