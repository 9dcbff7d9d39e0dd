import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Html } from './html.ts'

/** The way from the top of the tree to a file or folder, every step a link but the last. */
export function breadcrumb(place: {
  readonly repository: Repository
  readonly ref: { readonly name: string }
  readonly path: string
}): Html {
  const { repository, ref, path } = place
  const parts = path.split('/')
  const top = `${repositoryPath(repository)}/tree/${encodePath(ref.name)}`
  return html`<nav class="breadcrumb" aria-label="Path">
    <a href="${top}">${repository.name}</a>${parts.map(
      (part, at) =>
        html`<span class="slash"> / </span>${
            at === parts.length - 1
              ? html`<span aria-current="page">${part}</span>`
              : html`<a href="${top}/${encodePath(parts.slice(0, at + 1).join('/'))}">${part}</a>`
          }`,
    )}
  </nav>`
}
