import type { User } from '../../domain/types.ts'
import type { GitPerson } from '../../git/types.ts'

/**
 * Who stands in a commit that somebody makes in the browser: the display name, and an address of this host that takes no
 * letters, because nobody else ever sees a person's own.
 */
export function commitAuthor({ name, login }: User, { baseUrl }: { readonly baseUrl: string }): GitPerson {
  return {
    name: name ?? login,
    email: `noreply@${new URL(baseUrl).hostname}`,
    at: Math.floor(Date.now() / 1_000) * 1_000,
  }
}
