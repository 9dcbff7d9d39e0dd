import type { Context } from 'hono'
import { html } from 'hono/html'

import { isRegistrationOpen } from '../../accounts/join/open-registration.ts'
import type { Deps } from '../../operations/deps.ts'
import { findGalleryPapers } from '../shell/repository/find-listed-paper.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { paperGallery } from '../ui/document/paper-gallery.ts'
import { pageLinks } from '../ui/page-links.ts'
import { sendPage } from '../shell/page.ts'
import { readPage } from '../ui/page-links.ts'

const LISTED = 24

/** `/` for anonymous users: what this is, how to start, and the public papers. */
export async function showWelcome(c: Context, deps: Deps): Promise<Response> {
  const page = readPage(c.req.query('page'))
  const { items, total } = await deps.store.repositories.listFiltered({
    filter: { kind: 'public' },
    viewerId: null,
    text: '',
    order: 'updated',
    window: { offset: (page - 1) * LISTED, limit: LISTED },
  })
  const isOpen = await isRegistrationOpen(deps)
  const main = html`<section class="hero">
      <h1>Push a paper, get a proof<span class="caret" aria-hidden="true">‸</span></h1>
      <p class="lead">
        Every branch of every LaTeX repository here has an up-to-date PDF at a permanent address, with errors on the
        lines they come from.
      </p>
      <pre class="type-this" tabindex="0"><code>cd ~/papers/tides
git remote add texproof ${breakable(`${deps.config.baseUrl}/alice/tides.git`)}
git push texproof HEAD</code></pre>
      ${isOpen ? html`<p><a class="button" href="/join">Create account</a></p>` : ''}
    </section>
    <section>
      <h2>Public repositories</h2>
      ${items.length === 0 ? noRepositories(total) : paperGallery(await findGalleryPapers(deps, items))}
      ${pageLinks({ page, perPage: LISTED, total, href: (n) => (n === 1 ? '/' : `/?page=${n}`) })}
    </section>`
  return sendPage(c, { title: 'Push a paper, get a proof', main })
}

/** Shown on a page after the last one, or before the first repository exists. */
function noRepositories(total: number): Html {
  return total === 0
    ? html`<p class="quiet">No public repositories yet.</p>`
    : html`<p class="quiet">There are no more repositories. <a href="/">Show the first page</a></p>`
}
