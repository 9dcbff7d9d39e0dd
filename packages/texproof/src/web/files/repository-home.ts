import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Config } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import { refuseMissing } from '../../git/missing-repository.ts'
import type { Deps } from '../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { paperStarts } from '../../templates/paper-starts.ts'
import { formToken } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { showFolder } from './folder.ts'

/** `/{owner}/{repo}`: files of the default branch, README and PDF; instructions while it is empty. */
export async function showRepositoryHome(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  // If the default branch was deleted, the others are shown.
  const head =
    (await deps.git.findBranch(repository.id, repository.defaultBranch)) ??
    (await deps.git.listBranches(repository.id))[0]
  if (head === undefined) {
    await refuseMissing(deps.git, repository.id)
    return showEmpty(c, deps, repository)
  }
  return showFolder(c, deps, { repository, ref: { kind: 'branch', ...head }, path: '' })
}

async function showEmpty(c: Context, { config, git }: Deps, repository: ViewedRepository): Promise<Response> {
  const hasTags = (await git.listTags(repository.id)).length > 0
  const main = html`${repositoryHeader(c, repository, 'home')}
    <section class="empty">
      <h2>${hasTags ? 'This repository has no branches' : 'This repository is empty'}</h2>
      ${
        mayWrite(c, repository)
          ? html`${linesToType(config, repository, requireViewer(c).user)} ${beginForm(c, repository)}`
          : html`<p class="quiet">${hasTags ? 'Only tags have' : 'Nothing has'} been pushed yet.</p>`
      }
    </section>`
  return sendPage(c, { title: `${repository.owner.login}/${repository.name}`, main })
}

function linesToType({ baseUrl }: Config, repository: ViewedRepository, { login }: User): Html {
  const remote = `${baseUrl}${repositoryPath(repository)}.git`
  return html`<p>
      Push an existing paper. Git asks for a username, <code>${login}</code>, and a password: enter an
      <a href="/settings/tokens/new?scopes=repo:write&amp;expires=90">access token</a>.
    </p>
    <pre class="type-this" tabindex="0"><code>git remote add texproof ${breakable(remote)}
git push texproof HEAD</code></pre>
    <p>Or start a new paper:</p>
    <pre class="type-this" tabindex="0"><code>git clone ${breakable(remote)}
cd ${repository.name}
# write main.tex, then: git add . &amp;&amp; git commit -m "Initial commit" &amp;&amp; git push</code></pre>
    <p>
      Or
      <a href="${repositoryPath(repository)}/new/${encodePath(repository.defaultBranch)}"
        >upload files or create one in the browser</a
      >.
    </p>`
}

/** Creates the first file from a template. */
function beginForm(c: Context, repository: ViewedRepository): Html {
  return html`<p id="begin">Or start from a template:</p>
    <form method="post" action="${repositoryPath(repository)}/begin" class="begin" aria-labelledby="begin">
      ${formToken(c)}
      ${Object.entries(paperStarts).map(
        ([start, label]) => html`<button class="plain-button" name="paper" value="${start}">${label}</button>`,
      )}
    </form>`
}
