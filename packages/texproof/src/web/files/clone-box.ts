import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import { archivePath, repositoryPath } from '../../domain/page-urls.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'

/** Ways to download the files: with git, or as an archive of the ref. */
export function cloneBox(
  repository: Repository,
  { baseUrl, refName }: { readonly baseUrl: string; readonly refName: string },
): Html {
  const url = `${baseUrl}${repositoryPath(repository)}.git`
  return html`<details class="picker clone" data-menu>
    <summary>Clone</summary>
    <div class="menu">
      <label for="clone-url">Address</label>
      <p class="with-button">
        <input id="clone-url" type="text" readonly value="${url}" />
        <button type="button" class="plain-button" data-copy="clone-url" hidden>${icon('copy')} Copy</button>
      </p>
      <pre tabindex="0"><code>git clone ${breakable(url)}</code></pre>
      <p>
        To push, enter an access token as the password:
        <a href="/settings/tokens/new?scopes=repo:write&amp;expires=90">create one</a>.
      </p>
      <p class="downloads">
        <a href="${archivePath(repository, refName, 'zip')}" download>${icon('download')} Download ZIP</a>
        <a href="${archivePath(repository, refName, 'tar.gz')}" download>tar.gz</a>
      </p>
    </div>
  </details>`
}
