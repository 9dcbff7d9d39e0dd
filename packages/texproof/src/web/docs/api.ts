/** `/docs/api`: every endpoint, from the route table, with a command to copy and, with script, a form to try it. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { renderEndpoints } from '../../compat/render-endpoints.ts'
import type { ExampleCall, RenderedEndpoint } from '../../compat/render-endpoints.ts'
import type { Deps } from '../../operations/deps.ts'
import type { User } from '../../domain/types.ts'
import { createTemporaryToken } from '../../accounts/tokens/create-temporary-token.ts'
import { requireViewer, viewerOf } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'
import { acceptsGitHubCli } from '../../domain/accepts-github-cli.ts'
import { apiAccess } from './api-access.ts'
import { sendDocsPage } from './docs-page.ts'
import { docsText, readDocs } from './docs-text.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { tryForm } from './try-form.ts'

/** The page. */
export function showApiDocs(c: Context, deps: Deps): Promise<Response> {
  return sendApiDocs(c, deps, null)
}

/** `POST` of the same: the page with a token for an hour in every line, shown once. */
export async function postReadingToken(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const token = await createTemporaryToken(deps.store, { userId: user.id, address: clientOf(c).address })
  c.header('cache-control', 'no-store')
  return sendApiDocs(c, deps, token)
}

async function sendApiDocs(c: Context, deps: Deps, token: string | null): Promise<Response> {
  const { baseUrl } = deps.config
  const example = { ...(await findExample(deps, viewerOf(c))), token: token ?? '$TOKEN' }
  const endpoints = renderEndpoints(baseUrl, example)
  const main = html`<article class="prose docs">
    <h1>REST API</h1>
    <p>
      These ${endpoints.length} endpoints of the GitHub API are implemented. Everything else returns 404: commits,
      contents, issues, pull requests, webhooks, GraphQL. Read and change files with git. See
      <a href="/docs/matrix">API compatibility</a>.
    </p>
    ${tableOfContents(endpoints)} ${apiAccess(c, { baseUrl, token })}
    ${await docsText(fillIn(await readDocs('api'), { example, token, baseUrl }), baseUrl)}
    ${await Promise.all(endpoints.map((endpoint, index) => section(endpoint, { index, example, baseUrl })))}
  </article>`
  return sendDocsPage(c, { tab: '/docs/api', title: 'REST API', main, scripts: ['try-it'] })
}

const CLIENTS = ['curl', 'Octokit', 'gh', 'PyGithub'] as const

function tableOfContents(endpoints: readonly RenderedEndpoint[]): Html {
  return html`<nav class="contents" aria-labelledby="contents">
    <h2 id="contents">Contents</h2>
    <ul>
      ${CLIENTS.map((name) => html`<li><a href="#user-content-${name.toLowerCase()}">${name}</a></li>`)}
      ${endpoints.map(
        ({ method, path }, index) =>
          html`<li>
            <a href="#endpoint-${index}"><code>${method} ${breakable(path.replace('{+', '{'))}</code></a>
          </li>`,
      )}
    </ul>
  </nav>`
}

/** The viewer's most recently changed repository, or a public one; placeholder names without any. */
async function findExample({ store, config }: Deps, viewer: User | null): Promise<Omit<ExampleCall, 'token'>> {
  const newest = { viewerId: viewer?.id ?? null, text: '', order: 'updated', window: { offset: 0, limit: 1 } } as const
  const [own] =
    viewer === null
      ? []
      : (await store.repositories.listFiltered({ ...newest, filter: { kind: 'member', userId: viewer.id } })).items
  const [found] =
    own === undefined ? (await store.repositories.listFiltered({ ...newest, filter: { kind: 'public' } })).items : [own]
  const owner = found?.owner.login ?? 'alice'
  return {
    username: viewer?.login ?? owner,
    owner,
    repo: found?.name ?? 'tides',
    branch: found?.defaultBranch ?? 'main',
    isPublic: !config.isSignInRequired && found?.visibility !== 'private',
  }
}

/** The token as each language writes it. */
function fillIn(
  markdown: string,
  {
    example: { owner, repo },
    token,
    baseUrl,
  }: { readonly example: ExampleCall; readonly token: string | null; readonly baseUrl: string },
): string {
  return markdown
    .replaceAll('{{owner}}', owner)
    .replaceAll('{{repo}}', repo)
    .replaceAll('{{token:shell}}', token ?? '$TOKEN')
    .replaceAll('{{token:js}}', token === null ? 'process.env.TOKEN' : `'${token}'`)
    .replaceAll('{{token:python}}', token === null ? 'token' : `"${token}"`)
    .replaceAll('{{token:gh}}', token ?? 'pst_…')
    .replaceAll('{{gh:note}}', acceptsGitHubCli(baseUrl) ? '' : ` It does not work with \`${baseUrl}\`.`)
}

async function section(
  endpoint: RenderedEndpoint,
  { index, example, baseUrl }: { readonly index: number; readonly example: ExampleCall; readonly baseUrl: string },
): Promise<Html> {
  const { question, answer, canBeTried } = endpoint
  return html`<section id="endpoint-${index}">
    ${await docsText(question, baseUrl)} ${canBeTried ? tryForm(endpoint, { id: `try-${index}`, example }) : ''}
    ${await docsText(answer, baseUrl)}
  </section>`
}
