import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { User } from '../../domain/types.ts'
import type { Html } from '../components/html.ts'
import { icon } from '../components/icon.ts'
import { sendPage } from '../components/page.ts'
import { repositoryTable } from '../components/repository-table.ts'
import { viewerOf } from '../viewer.ts'

const LISTED = 50
const NEWEST_FIRST = { by: 'updated', direction: 'desc' } as const

/** `/`: the papers of whoever is signed in; what this is and how to begin, for everybody else; and the public papers. */
export async function showHome(c: Context, deps: Deps): Promise<Response> {
  const viewer = viewerOf(c)
  const { items, total } = await deps.store.repositories.listPublic({
    ownerId: null,
    order: NEWEST_FIRST,
    window: { offset: 0, limit: LISTED },
  })
  const main = html`${viewer === null ? welcome(deps) : await ownPapers(viewer, deps)}
    <section>
      <h2>Public papers</h2>
      ${
        items.length === 0
          ? html`<p class="quiet">No public papers yet.</p>`
          : await repositoryTable(items, deps, { isOwnerShown: true })
      }
      ${total > items.length ? html`<p class="quiet">The ${items.length} newest of ${total}.</p>` : ''}
    </section>`
  return sendPage(c, { title: viewer === null ? 'Push a paper, get a proof' : 'Your papers', main })
}

function welcome({ config }: Deps): Html {
  return html`<section class="hero">
    <h1>Push a paper, get a proof<span class="caret" aria-hidden="true">‸</span></h1>
    <p class="lead">
      Every branch of every LaTeX repository here has a current PDF at a permanent address, with errors on the lines
      they come from.
    </p>
    <pre class="type-this" tabindex="0"><code>cd ~/papers/tides
git remote add texproof ${config.baseUrl}/alice/tides.git
git push texproof main</code></pre>
  </section>`
}

async function ownPapers(viewer: User, deps: Deps): Promise<Html> {
  const { items, total } = await deps.store.repositories.listOfMember(viewer.id, {
    filter: { isOwner: true, isCollaborator: true, visibility: null },
    order: NEWEST_FIRST,
    window: { offset: 0, limit: LISTED },
  })
  const repositories = items.map(({ repository }) => repository)
  return html`<section class="profile">
    <div class="bar">
      <h1>Your papers</h1>
      <a class="button" href="/new">${icon('plus')} New repository</a>
    </div>
    ${repositories.length === 0 ? firstSteps(viewer, deps) : await repositoryTable(repositories, deps, { isOwnerShown: true })}
    ${total > items.length ? html`<p class="quiet">The ${items.length} newest of ${total}.</p>` : ''}
  </section>`
}

/** Two ways to begin, for whoever has nothing yet. */
function firstSteps({ login }: User, { config }: Deps): Html {
  return html`<p class="lead">
      Push a paper that you have. Make its <a href="/new">repository</a> and a
      <a href="/settings/tokens/new?name=my+laptop&amp;expires=90">token</a>, which git asks for as the password, then:
    </p>
    <pre class="type-this" tabindex="0"><code>cd ~/papers/tides
git remote add texproof ${config.baseUrl}/${login}/tides.git
git push texproof main</code></pre>`
}
