import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Config } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import { paperStarts } from '../../templates/paper-starts.ts'
import { formToken } from '../session/form.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'

/** Ways to start for a user without repositories: push or import existing files, or create from a template. */
export function firstSteps(c: Context, { baseUrl, isPushToCreate }: Config, { login }: User): Html {
  return html`<div class="first-steps">
    <section class="way" aria-labelledby="push-one">
      <h2 id="push-one">Push an existing paper</h2>
      <ol>
        ${isPushToCreate ? '' : html`<li><a href="/new?name=tides">Create an empty repository</a>.</li>`}
        <li>
          Create a token. Git asks for a username, <code>${login}</code>, and a password: enter the token.
          <form method="post" action="/settings/tokens">
            ${formToken(c)}
            <input type="hidden" name="name" value="my laptop" />
            <input type="hidden" name="access" value="write" />
            <input type="hidden" name="days" value="90" />
            <button class="drawn-button">Create token</button>
            <span class="quiet">read and write, expires in 90 days</span>
          </form>
        </li>
        <li>
          ${isPushToCreate ? 'Push. This creates a private repository.' : 'Push.'}
          <pre class="type-this" tabindex="0"><code>cd ~/papers/tides
git remote add texproof ${breakable(`${baseUrl}/${login}/tides.git`)}
git push texproof HEAD</code></pre>
        </li>
      </ol>
      <p>
        Without git: <a href="/import">import a zip or LaTeX file</a>, for example from Overleaf. Or
        <a href="/import/git">import from git</a>.
      </p>
    </section>
    <section class="way" aria-labelledby="start-one">
      <h2 id="start-one">Start from a template</h2>
      <p>Creates a repository with a sample paper in your name and builds its PDF:</p>
      <ul class="starts">
        ${Object.entries(paperStarts).map(([start, label]) => html`<li><a href="/new?paper=${start}">${label}</a></li>`)}
      </ul>
    </section>
  </div>`
}
