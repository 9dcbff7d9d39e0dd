import type { User } from '../types.ts'

/** The name of a user in commits: the display name without the characters that git does not allow, or the username. */
export function authorName({ name, login }: Pick<User, 'name' | 'login'>): string {
  return (name ?? '').replaceAll(/[<>\p{Cc}]/gu, '').trim() || login
}
