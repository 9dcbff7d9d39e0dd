import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Html } from './html.ts'

/** Beyond it, folders in the middle are left out: each link contains the path of all before it. */
const maxParts = 20

/** The path from the root folder to a file or folder; its last part is the heading of the page unless it has another. */
export function breadcrumb(place: {
  readonly repository: Repository
  readonly ref: { readonly name: string }
  readonly path: string
  /** The view of the file, for screen readers. @default the file itself */
  readonly prefix?: string
  /** @default true */
  readonly isHeading?: boolean
}): Html {
  const { repository, ref, path, prefix = '', isHeading = true } = place
  const parts = path.split('/')
  const isLeftOut = (at: number): boolean => at > 0 && at <= parts.length - maxParts
  const top = `${repositoryPath(repository)}/tree/${encodePath(ref.name)}`
  return html`<nav class="breadcrumb" aria-label="Path">
    <a href="${top}">${repository.name}</a>${parts.map((part, at) => {
      if (isLeftOut(at)) return at === 1 ? html`<span class="slash"> / …</span>` : ''
      return html`<span class="slash"> / </span>${
          at === parts.length - 1
            ? isHeading
              ? html`<h1>${prefix === '' ? '' : html`<span class="visually-hidden">${prefix} </span>`}${part}</h1>`
              : html`<span aria-current="page">${part}</span>`
            : html`<a href="${top}/${encodePath(parts.slice(0, at + 1).join('/'))}">${part}</a>`
        }`
    })}
  </nav>`
}
