/** `/admin/demo`: creates demo data, shows progress, and removes it. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { commandFor } from '../../config/command-line.ts'
import type { DemoState } from '../../operations/demo/open-demo.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { sendAdminPage } from './admin-page.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { loadDemo, loadDemoForm } from './load-demo.ts'
import { findGalleryPapers } from '../shell/repository/find-listed-paper.ts'
import { paperGallery } from '../ui/document/paper-gallery.ts'
import { formToken } from '../session/form.ts'
import { requireAdmin } from '../session/viewer.ts'

const MAX_OPEN = 1_000

/** The page. */
export async function showDemo(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  const state = await deps.demo.describe()
  const made = state.kind === 'none' ? [] : state.made
  const openCount = await countOpenBuilds(deps, made)
  const isLive = state.kind === 'loading' || state.kind === 'removing' || openCount > 0
  const readable = made.filter(({ visibility }) => visibility === 'public')
  const main = html`<div data-live>
    ${describe(c, deps, { state, openCount })}
    ${readable.length === 0 ? '' : paperGallery(await findGalleryPapers(deps, readable))}
  </div>`
  return sendAdminPage(c, {
    tab: 'status',
    title: 'Demo data',
    back: { href: '/admin/status', label: 'Status' },
    main,
    isLive,
  })
}

/** `POST /admin/demo`: starts the creation unless it runs already, and redirects to its progress. */
export async function postDemo(c: Context, { demo }: Deps): Promise<Response> {
  const { user } = requireAdmin(c)
  await demo.load({ actorId: user.id })
  return c.redirect('/admin/demo', 303)
}

/** `GET /admin/demo/remove`: what will be deleted, and the button to confirm. */
export async function showRemoveDemo(c: Context, { demo }: Deps): Promise<Response> {
  requireAdmin(c)
  const state = await demo.describe()
  if (state.kind === 'none') return c.redirect('/admin/demo')
  const main = html`<p>
      This permanently deletes ${countOf(state.made.length, 'repository', 'repositories')} and the two demo users. A
      demo user who owns other repositories is kept. Data of other users is not changed.
    </p>
    <form method="post">
      ${formToken(c)}
      <p class="actions"><button class="button">Remove demo data</button> <a href="/admin/demo">Cancel</a></p>
    </form>`
  return sendAdminPage(c, { tab: 'status', title: 'Remove the demo data?', main })
}

/** `POST` of the same. */
export async function postRemoveDemo(c: Context, { demo }: Deps): Promise<Response> {
  const { user } = requireAdmin(c)
  await demo.remove({ actorId: user.id })
  return c.redirect('/admin/demo', 303)
}

/** Running and queued builds of these repositories. */
async function countOpenBuilds({ store }: Deps, repositories: readonly Repository[]): Promise<number> {
  if (repositories.length === 0) return 0
  const names = new Set(repositories.map(({ owner, name }) => `${owner.login}/${name}`))
  const open = await store.admin.listOpenBuilds({ limit: MAX_OPEN })
  return open.filter(({ owner, repository }) => names.has(`${owner}/${repository}`)).length
}

function describe(
  c: Context,
  { config: { dataDir } }: Deps,
  { state, openCount }: { readonly state: DemoState; readonly openCount: number },
): Html {
  switch (state.kind) {
    case 'none':
      return html`${state.hasFailed ? fault() : ''} ${loadDemo(c)}
      ${byCommand('Or on the server, with passwords for both users:', commandFor(dataDir, 'demo'))}`
    case 'loading':
      return html`<p class="strip" role="status" data-changing>
        Loading demo data: ${state.made.length} of ${state.repositoryCount} created.
      </p>`
    case 'removing':
      return html`<p class="strip" role="status" data-changing>The demo data is being removed.</p>`
    case 'broken-off':
      return html`<p class="strip" role="status">
          Loading or removing the demo data was interrupted. Try again: leftovers are removed first.
        </p>
        ${loadDemoForm(c)} ${removeLink()}`
    case 'loaded':
      return html`${openCount === 0 ? '' : progress(openCount)}
        <p>
          Demo data. To sign in as one of the two demo users, create a password reset link under
          <a href="/admin/users">Users</a>. Only they can see their private repository.
        </p>
        ${removeLink()} ${byCommand('Or on the server:', commandFor(dataDir, 'demo --clean'))}`
  }
}

function progress(openCount: number): Html {
  return html`<p class="strip" role="status" data-changing>
    All repositories are created; ${countOf(openCount, 'build')} left.
  </p>`
}

function fault(): Html {
  return html`<p class="problem-box" role="alert">Loading failed and was undone. See the server log.</p>`
}

function removeLink(): Html {
  return html`<p><a class="drawn-button" href="/admin/demo/remove">Remove demo data</a></p>`
}

function byCommand(words: string, command: string): Html {
  return html`<p class="quiet">${words}</p>
    <pre class="type-this" tabindex="0"><code>${breakable(command)}</code></pre>`
}
