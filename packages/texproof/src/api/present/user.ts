import type { User } from '../../domain/types.ts'
import type { PublicUrls } from './public-urls.ts'
import { timestamp } from './timestamp.ts'

/** A user as an owner. Does not reveal whether the user is an administrator. */
export function presentOwner(user: User, urls: PublicUrls) {
  return {
    login: user.login,
    id: user.id,
    avatar_url: user.avatarId === null ? null : urls.avatar(user.avatarId),
    email: null,
    url: urls.user(user.login),
    html_url: urls.userPage(user.login),
    repos_url: `${urls.user(user.login)}/repos`,
    type: 'User',
    site_admin: false,
  }
}

/** A user's profile, the same for every caller. */
export function presentProfile(user: User, urls: PublicUrls, publicRepositoryCount: number) {
  return {
    ...presentOwner(user, urls),
    name: user.name,
    bio: user.bio,
    public_repos: publicRepositoryCount,
    created_at: timestamp(user.createdAt),
    updated_at: timestamp(user.updatedAt),
  }
}
