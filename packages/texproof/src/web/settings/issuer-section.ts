import { html } from 'hono/html'

import type { OidcConfig } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import type { Html } from '../ui/html.ts'

/** The part of the security page about an account elsewhere that signs the user in. */
export async function issuerSection(
  { store, oidc }: { readonly store: Store; readonly oidc: OidcConfig },
  user: User,
): Promise<Html> {
  const identity = await store.identities.findOfUser(user.id, oidc.issuer)
  return html`<h2>Sign-in by ${oidc.name}</h2>
    <p>
      ${identity === null ? 'Not linked.' : 'Linked.'}
      <a href="/settings/security/oidc">${identity === null ? 'Link an account' : 'See or unlink it'}</a>
    </p>`
}
