import { hash } from 'node:crypto'

import { html } from 'hono/html'

import type { User } from '../../domain/types.ts'
import type { Html } from './html.ts'

/** Tones of `accounts.css`. */
const TONES = 6

/**
 * A user's avatar, or their initials on a color derived from the user. Decorative, so the name must be next to it.
 * `size` is in pixels.
 */
export function avatar(user: Pick<User, 'login' | 'name' | 'avatarId'>, size: number): Html {
  const { login, name, avatarId } = user
  if (avatarId !== null)
    return html`<img
      class="avatar"
      src="/assets/avatars/${avatarId}"
      alt=""
      width="${size}"
      height="${size}"
      decoding="async"
    />`
  const initials = initialsOf(name ?? '') || initialsOf(login)
  return html`<svg
    class="avatar tone-${toneOf(login)}"
    viewBox="0 0 40 40"
    width="${size}"
    height="${size}"
    aria-hidden="true"
  >
    <rect width="40" height="40" />
    <text x="20" y="20" text-anchor="middle" dominant-baseline="central">${initials}</text>
  </svg>`
}

/** The first letters of the first and the last word; for a single word, its first letter. */
export function initialsOf(text: string): string {
  const words = text.split(/[\s-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const chosen = words.length < 2 ? words : [words[0], words.at(-1)]
  return chosen.map((word) => [...(word ?? '')].at(0)?.toLocaleUpperCase('en') ?? '').join('')
}

function toneOf(login: string): number {
  return (hash('sha256', login.toLowerCase(), 'buffer').at(0) ?? 0) % TONES
}
