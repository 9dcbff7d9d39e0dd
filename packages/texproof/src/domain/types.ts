/** The nouns of the house. Times are epoch milliseconds; absent is null. */

export interface User {
  /** Digits, but a string: the API's user ids are text. */
  readonly id: string
  /** In the case the user chose. Look-ups ignore case. */
  readonly login: string
  readonly name: string | null
  readonly bio: string | null
  /** Never shown by any surface to another user. */
  readonly email: string | null
  /** Content address of the avatar image, or null. */
  readonly avatarId: string | null
  readonly isAdmin: boolean
  readonly isDisabled: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

export type Scope = 'repo:write'

export interface Token {
  readonly id: number
  readonly userId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
  /** What it did then: `GET /user/repos`, `git push alice/tides`. */
  readonly lastUsedRoute: string | null
  readonly lastRefusedAt: number | null
  /** What it was not allowed to do then, and why. */
  readonly lastRefusedRoute: string | null
}

/** Who makes this request: a user with the scopes of the credential. null = anonymous. */
export interface Caller {
  readonly user: User
  readonly scopes: readonly Scope[]
  /** Of the token that was shown; null = by a browser's session. */
  readonly tokenId: number | null
}

export type Visibility = 'public' | 'private'

export interface Repository {
  /** Immutable; the git directory lies under it. */
  readonly id: number
  readonly owner: User
  readonly name: string
  readonly description: string | null
  readonly visibility: Visibility
  readonly defaultBranch: string
  readonly isArchived: boolean
  readonly isDisabled: boolean
  readonly starCount: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** What a caller may do with a repository; each includes the ones before it. */
export type Permission = 'none' | 'pull' | 'push' | 'admin'
