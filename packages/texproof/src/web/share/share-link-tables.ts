/** The share links of a repository: active ones, and ended ones folded. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { repositoryPath, shortRefName } from '../../domain/page-urls.ts'
import type { ShareLink } from '../../store/repositories/share-links.ts'
import { formToken } from '../session/form.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { formatDate } from '../ui/format/format-date.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'

/** A link that works. */
export interface ActiveLink {
  readonly link: ShareLink
  /** null = it cannot be shown again. */
  readonly address: string | null
}

/** The links that work, with their actions. */
export function activeLinks(c: Context, repository: ViewedRepository, links: readonly ActiveLink[]): Html {
  const rows = links.map(({ link, address }) =>
    linkRow(link, {
      end: html`<td class="one-line" data-label="Expires">
        ${link.expiresAt === null ? 'never' : formatDate(link.expiresAt)}
      </td>`,
      actions: html`<td class="numeric">${linkActions(c, repository, { link, address })}</td>`,
    }),
  )
  const actions = html`<th scope="col"><span class="visually-hidden">Actions</span></th>`
  return linkTable(rows, { label: 'Links', end: 'Expires', actions })
}

/** The links that were revoked or expired: they only accumulate, so they are closed. */
export function endedLinks(links: readonly ShareLink[]): Html {
  const rows = links.map((link) =>
    linkRow(link, { end: html`<td data-label="Ended">${describeEnd(link)}</td>`, actions: '' }),
  )
  return html`<details class="ended-links">
    <summary>${links.length} inactive ${links.length === 1 ? 'link' : 'links'}</summary>
    ${linkTable(rows, { label: 'Inactive links', end: 'Ended', actions: '' })}
  </details>`
}

function linkTable(
  rows: readonly Html[],
  { label, end, actions }: { readonly label: string; readonly end: string; readonly actions: Html | '' },
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="share-links stacked-table">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Created</th>
          <th scope="col">${end}</th>
          <th scope="col" class="numeric">Views</th>
          ${actions}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

function linkRow(
  { ref, document, createdAt, viewCount }: ShareLink,
  { end, actions }: { readonly end: Html; readonly actions: Html | '' },
): Html {
  const kind = ref.startsWith('refs/heads/') ? 'latest version' : 'fixed version'
  return html`<tr>
    <th scope="row">${versionOf(ref)}${document === null ? '' : `, ${document}`} <span class="quiet">${kind}</span></th>
    <td data-label="Created">${timeAgo(createdAt)}</td>
    ${end}
    <td class="numeric" data-label="Views">${viewCount}</td>
    ${actions}
  </tr>`
}

function describeEnd({ expiresAt, revokedAt }: ShareLink): Html | string {
  if (revokedAt !== null) return html`${timeAgo(revokedAt)} (revoked)`
  return expiresAt === null ? '' : `${formatDate(expiresAt)} (expired)`
}

function versionOf(ref: string): string {
  return ref.startsWith('refs/') ? shortRefName(ref) : `commit ${ref.slice(0, 10)}`
}

function linkActions(c: Context, repository: ViewedRepository, { link, address }: ActiveLink): Html {
  const path = `${repositoryPath(repository)}/settings/share/${link.id}`
  const id = `link-${link.id}`
  const version = versionOf(link.ref)
  return html`<form method="post" action="${path}/revoke">
    ${formToken(c)}
    ${
      address === null
        ? ''
        : html`<a href="${address}" aria-label="Open the link to ${version}">Open</a>
            <span id="${id}" class="visually-hidden">${address}</span>
            <button
              type="button"
              class="plain-button"
              data-copy="${id}"
              aria-label="Copy the link to ${version}"
              hidden
            >
              ${icon('copy')} Copy
            </button>`
    }
    <button class="plain-button" formaction="${path}/replace" aria-label="Replace the link to ${version}">
      Replace
    </button>
    <button class="plain-button" aria-label="Revoke the link to ${version}">Revoke</button>
  </form>`
}
