/** `/{owner}/{repo}/settings/mirror`: when a mirror was fetched, and how it becomes an ordinary repository. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import { endMirror } from '../../operations/repository/change-repository.ts'
import type { MirrorState } from '../../store/repositories/mirrors.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import { describeFetches, isPaused, isWaiting } from '../shell/repository/mirror-status.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { backLink } from '../ui/back-link.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'

const REFRESH_EVERY_S = 5

/** The page. It refreshes while the mirror waits or is fetched. */
export async function showMirror(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  const { mirrorUrl, mirror } = repository
  if (mirrorUrl === null || mirror === null) throw new NotFound('This repository is not a mirror.')
  const main = html`${repositoryHeader(c, repository, 'settings')}
    ${backLink({ href: `${repositoryPath(repository)}/settings`, label: 'Settings' })}
    <section class="settings-form">
      <h1>Mirror</h1>
      <p>
        This repository mirrors <a href="${mirrorUrl}" rel="nofollow noreferrer">${breakable(mirrorUrl)}</a>. Its
        branches and tags always match the source, including force pushes and deletions. It is read-only.
      </p>
      <div data-live="mirror">${describeMirror(repository, mirror)}</div>
      ${
        isPaused(repository)
          ? ''
          : html`<form method="post">
              ${formToken(c)}
              <p><button class="button" name="do" value="fetch">Fetch now</button></p>
            </form>`
      }
      <h2>Stop mirroring</h2>
      <p>
        The repository keeps its branches and tags and becomes writable. Changes in the source are no longer fetched.
      </p>
      <form method="post">
        ${formToken(c)}
        <p><button class="drawn-button" name="do" value="end">Stop mirroring</button></p>
      </form>
    </section>`
  const title = `Mirror · ${repository.owner.login}/${repository.name}`
  c.header('cache-control', 'no-store')
  return sendPage(c, {
    title,
    main,
    ...(isWaiting(repository, mirror) ? { head: refreshWithoutScript(REFRESH_EVERY_S), scripts: ['live'] } : {}),
  })
}

/** Fetches the mirror at once, or makes it an ordinary repository. */
export async function postMirror(c: Context, deps: Deps): Promise<Response> {
  const change = await requireAdministered(c, deps)
  const { repository } = change
  const path = `${repositoryPath(repository)}/settings`
  if (repository.mirror === null) return c.redirect(path, 303)
  if (readField(c, 'do') === 'end') {
    await endMirror(deps, change)
    return c.redirect(path, 303)
  }
  // While it is fetched, nothing is changed: the lease of the fetch is in the same column.
  if (!isWaiting(repository, repository.mirror)) await deps.store.mirrors.setDue(repository.id, Date.now())
  return c.redirect(`${path}/mirror`, 303)
}

function describeMirror(repository: ViewedRepository, mirror: MirrorState): Html {
  return isWaiting(repository, mirror)
    ? html`<p class="banner banner-building" role="status" data-changing>◌ Fetching …</p>`
    : describeFetches(repository, mirror)
}
