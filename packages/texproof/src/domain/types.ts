/** The main domain types. Times are epoch milliseconds; absent is null. */

export interface User {
  /** A string of digits, because user ids in the API are text. */
  readonly id: string
  /** Username in the case that the user chose. Look-ups ignore case. */
  readonly login: string
  readonly name: string | null
  readonly bio: string | null
  /** Never shown to other users. */
  readonly email: string | null
  /** Id of the avatar image, a hash of its content, or null. */
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
  /** The last use: `GET /user/repos`, `git push alice/tides`. */
  readonly lastUsedRoute: string | null
  readonly lastRefusedAt: number | null
  /** The last refused action and the required scope. */
  readonly lastRefusedRoute: string | null
}

/** The client of a request: a user with the scopes of the token. null = anonymous. */
export interface Caller {
  readonly user: User
  readonly scopes: readonly Scope[]
  /** Id of the token; null = a browser session. */
  readonly tokenId: number | null
}

export type Visibility = 'public' | 'private'

export interface Repository {
  /** Immutable; determines the path of the git directory. */
  readonly id: number
  readonly owner: User
  readonly name: string
  readonly description: string | null
  readonly visibility: Visibility
  readonly defaultBranch: string
  readonly isArchived: boolean
  readonly isDisabled: boolean
  /** The address of the repository that it follows, or null. A mirror is read-only. */
  readonly mirrorUrl: string | null
  readonly starCount: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Permission of a caller for a repository; each includes the previous ones. */
export type Permission = 'none' | 'pull' | 'push' | 'admin'
