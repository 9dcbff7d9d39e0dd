import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Ref } from '../../../git/types.ts'
import { encodePath, pdfPath, repositoryPath } from '../../../domain/page-urls.ts'
import { mirrorLine } from './mirror-status.ts'
import { orderBranches, orderTags } from './order-refs.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import { viewerOf } from '../../session/viewer.ts'
import { formToken } from '../../session/form.ts'
import { avatar } from '../../ui/avatar.ts'
import type { Html } from '../../ui/html.ts'
import { icon } from '../../ui/icon.ts'

export type RepositoryTab = 'home' | 'files' | 'pdf' | 'commits' | 'branches' | 'tags' | 'builds' | 'settings'

/** Shortcuts to tabs from every page of a repository. */
const KEYS: Partial<Record<RepositoryTab, Html>> = { pdf: html`data-key="p"`, commits: html`data-key="c"` }

/**
 * Name, status and tabs above every page of a repository. Pages have their own headings, except the home of the
 * repository (`home`), whose heading is the name.
 */
export function repositoryHeader(
  c: Context,
  repository: ViewedRepository,
  tab: RepositoryTab,
  refName: string | null = null,
): Html {
  const { owner, name, visibility, isArchived, isDisabled, disabledReason, description, mirrorUrl, mirror } = repository
  const path = repositoryPath(repository)
  const ref = refName ?? repository.defaultBranch
  const labels = [
    visibility === 'private' ? 'private' : null,
    isArchived ? 'archived' : null,
    isDisabled ? 'disabled' : null,
    mirrorUrl === null ? null : 'mirror',
  ]
  const tabs: readonly (readonly [RepositoryTab, string, string])[] = [
    [
      'files',
      'Files',
      refName === null || refName === repository.defaultBranch ? path : `${path}/tree/${encodePath(refName)}`,
    ],
    ['pdf', 'PDF', pdfPath(repository, ref, null)],
    ['commits', 'Commits', `${path}/commits/${encodePath(ref)}`],
    ['branches', 'Branches', `${path}/branches`],
    ['tags', 'Tags', `${path}/tags`],
    ['builds', 'Builds', `${path}/builds`],
    ...(repository.permission === 'admin' && viewerOf(c) !== null
      ? [['settings', 'Settings', `${path}/settings`] as const]
      : []),
    // Where collaborators leave.
    ...(isCollaborator(c, repository) ? [['settings', 'Collaborators', `${path}/people`] as const] : []),
  ]
  const isHome = tab === 'home'
  const currentTab = isHome ? 'files' : tab
  const fullName = html`${avatar(owner, 24)}
    <span
      ><a class="owner" href="/${owner.login}">${owner.login}</a><span class="slash"> / </span
      ><a class="name" href="${path}">${name}</a></span
    >`
  return html`<div class="repository">
    <div class="repository-head">
      ${isHome ? html`<h1 class="repository-name">${fullName}</h1>` : html`<p class="repository-name">${fullName}</p>`}
      <div class="repository-labels">
        ${labels.filter((label) => label !== null).map((label) => html`<span class="label">${label}</span>`)}
        ${starForm(c, repository)}
      </div>
    </div>
    ${isHome && description !== null ? html`<p class="description">${description}</p>` : ''}
    ${
      isDisabled
        ? html`<div class="notice">
            <p>
              An administrator disabled this repository. Only the owner and collaborators with admin access can view or
              clone it. Pushes and builds are disabled.
            </p>
            ${disabledReason === null ? '' : html`<p>Reason: ${disabledReason}</p>`}
          </div>`
        : ''
    }
    ${isHome && mirrorUrl !== null && mirror !== null ? mirrorLine(mirrorUrl, mirror) : ''}
    ${isArchived ? html`<p class="notice">This repository is archived and read-only.</p>` : ''}
    <nav class="tabs" aria-label="Repository">
      ${tabs.map(([id, label, href]) => html`<a href="${href}" ${KEYS[id] ?? ''} ${id === currentTab ? html`aria-current="page"` : ''}>${label}</a>`)}
    </nav>
  </div>`
}

/** Whether the viewer is a collaborator but no administrator. Readers of public repositories are not told apart. */
function isCollaborator(c: Context, { permission, visibility }: ViewedRepository): boolean {
  return viewerOf(c) !== null && (permission === 'push' || (permission === 'pull' && visibility === 'private'))
}

/** The number of stars, and the viewer's star. */
function starForm(c: Context, repository: ViewedRepository): Html | '' {
  const { isStarred, starCount } = repository
  if (isStarred === null)
    return starCount === 0 ? '' : html`<p class="stars quiet">${icon('star')} ${countOfStars(starCount)}</p>`
  return html`<form method="post" action="${repositoryPath(repository)}/star" class="stars">
    ${formToken(c)}
    <button class="plain-button" name="star" value="${isStarred ? 'no' : 'yes'}">
      ${icon('star')} ${isStarred ? 'Unstar' : 'Star'}</button
    ><span class="quiet">${countOfStars(starCount)}</span>
  </form>`
}

/** The number, with its noun for screen readers. */
function countOfStars(count: number): Html {
  return html`${count}<span class="visually-hidden"> ${count === 1 ? 'star' : 'stars'}</span>`
}

/** The current ref, and a menu of the other branches and tags. */
export function refPicker(
  current: string,
  options: {
    readonly branches: readonly Ref[]
    readonly tags: readonly Ref[]
    readonly link: (name: string) => string
  },
): Html {
  const shown =
    current.length === 40 && !options.branches.some(({ name }) => name === current) ? current.slice(0, 10) : current
  const list = (title: string, refs: readonly Ref[]): Html | '' =>
    refs.length === 0
      ? ''
      : html`<p class="menu-title">${title}</p>
          <ul>
            ${refs.slice(0, MAX_LISTED).map(
              ({ name }) =>
                html`<li>
                  <a href="${options.link(name)}" ${name === current ? html`aria-current="true"` : ''}>${name}</a>
                </li>`,
            )}
          </ul>
          ${refs.length > MAX_LISTED ? html`<p>${refs.length - MAX_LISTED} more</p>` : ''}`
  return html`<details class="picker" data-menu data-key="b" title="Branch or tag">
    <summary><span class="visually-hidden">Branch or tag: </span><span class="name">${shown}</span></summary>
    <div class="menu">
      ${list('Branches', orderBranches(options.branches))} ${list('Tags', orderTags(options.tags))}
    </div>
  </details>`
}

const MAX_LISTED = 100
