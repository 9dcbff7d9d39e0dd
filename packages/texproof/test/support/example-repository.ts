import type { Repository, User } from '../../src/domain/types.ts'

/** The user alice; `details` sets what a test is about. */
export function exampleUser(details: Partial<User> = {}): User {
  return {
    id: '1',
    login: 'alice',
    name: null,
    bio: null,
    email: null,
    avatarId: null,
    isAdmin: false,
    isDisabled: false,
    createdAt: 0,
    updatedAt: 0,
    ...details,
  }
}

/** The public repository alice/tides; `details` sets what a test is about. */
export function exampleRepository(details: Partial<Repository> = {}): Repository {
  return {
    id: 1,
    owner: exampleUser(),
    name: 'tides',
    description: null,
    visibility: 'public',
    defaultBranch: 'main',
    isArchived: false,
    isDisabled: false,
    mirrorUrl: null,
    starCount: 0,
    createdAt: 0,
    updatedAt: 0,
    ...details,
  }
}
