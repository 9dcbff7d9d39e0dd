import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import { sendPage } from '../components/page.ts'
import { repositoryTable } from '../components/repository-table.ts'

const LISTED = 50

/** `/`: what this is, how to begin, and the public papers. */
export async function showHome(c: Context, deps: Deps): Promise<Response> {
  const { items, total } = await deps.store.repositories.listPublic({
    ownerId: null,
    order: { by: 'updated', direction: 'desc' },
    window: { offset: 0, limit: LISTED },
  })
  const { baseUrl } = deps.config
  const main = html`<section class="hero">
      <h1>Push a paper, get a proof<span class="caret" aria-hidden="true">‸</span></h1>
      <p class="lead">
        Every branch of every LaTeX repository here has a current PDF at a permanent address, with errors on the lines
        they come from.
      </p>
      <pre class="type-this" tabindex="0"><code>cd ~/papers/tides
git remote add texproof ${baseUrl}/alice/tides.git
git push texproof main</code></pre>
    </section>
    <section>
      <h2>Public papers</h2>
      ${
        items.length === 0
          ? html`<p class="quiet">No public papers yet.</p>`
          : await repositoryTable(items, deps, { isOwnerShown: true })
      }
      ${total > items.length ? html`<p class="quiet">The ${items.length} newest of ${total}.</p>` : ''}
    </section>`
  return sendPage(c, { title: 'Push a paper, get a proof', main })
}
