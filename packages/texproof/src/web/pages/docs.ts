/** `/docs`: the documents that the product carries with it, with the addresses of this very host in them. */
import { readFile } from 'node:fs/promises'

import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import { matrix } from '../../compat/matrix.ts'
import { renderCompatibility } from '../../compat/render-compatibility.ts'
import type { Deps } from '../../deps.ts'
import { sendPage } from '../components/page.ts'
import { renderMarkdown } from '../content/render-markdown.ts'
import { NotFound } from '../not-found.ts'

const PAGES: Readonly<Record<string, { readonly title: string; readonly read: () => Promise<string> }>> = {
  '': { title: 'Documentation', read: () => readOwn('index') },
  api: { title: 'REST API', read: async () => `${await readOwn('api')}\n${endpointList()}` },
  compile: { title: 'Compile API', read: () => readOwn('compile') },
  matrix: { title: 'Compatibility', read: async () => renderCompatibility() },
}

/** One page of the documentation. */
export async function showDocs(c: Context, { config }: Deps): Promise<Response> {
  const page = PAGES[c.req.param('page') ?? '']
  if (page === undefined) throw new NotFound('There is no such page in the documentation.')
  const { baseUrl } = config
  const source = (await page.read())
    // A README's rooted links lead into its tree; these lead into this host.
    .replaceAll('](/', ']({{base}}/')
    .replaceAll('{{base}}', baseUrl)
    .replaceAll('{{host}}', new URL(baseUrl).host)
  const text = renderMarkdown(source, { folder: '', blobPrefix: '/docs/', rawPrefix: '/docs/' })
    // What scrolls must be within reach of the keyboard.
    .replaceAll('<pre>', '<pre tabindex="0">')
  const main = html`<nav class="tabs" aria-label="Documentation">
      <a href="/docs">Start</a> <a href="/docs/api">REST API</a> <a href="/docs/matrix">Compatibility</a>
      <a href="/docs/compile">Compile API</a>
    </nav>
    <article class="prose docs">${raw(text)}</article>`
  return sendPage(c, { title: page.title, main })
}

/** From the same table as the tests of compatibility. */
function endpointList(): string {
  return matrix.map(({ endpoint }) => `* \`${endpoint.replace('{+branch}', '{branch}')}\``).join('\n')
}

function readOwn(name: string): Promise<string> {
  return readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
}
