/** `/docs`: the documents that the product carries with it, with the addresses of this very host in them. */
import { readFile } from 'node:fs/promises'

import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import { describeApi } from '../../../compat/describe-api.ts'
import { renderCompatibility } from '../../../compat/render-compatibility.ts'
import { renderEndpoints } from '../../../compat/render-endpoints.ts'
import type { Deps } from '../../../deps.ts'
import { renderSettings } from '../../../docs/render-settings.ts'
import { sendDocsPage } from '../../components/docs-page.ts'
import type { DocsTab } from '../../components/docs-page.ts'
import { renderMarkdown } from '../../content/render-markdown.ts'
import { NotFound } from '../../answer/not-found.ts'

interface DocsSource {
  readonly tab: DocsTab
  readonly title: string
  /** Markdown; `{{base}}` and `{{host}}` stand for this host. */
  readonly read: (baseUrl: string) => Promise<string>
}

const PAGES: Readonly<Record<string, DocsSource>> = {
  '': { tab: '/docs', title: 'Documentation', read: () => readOwn('index') },
  api: {
    tab: '/docs/api',
    title: 'REST API',
    read: async (baseUrl) => `${await readOwn('api')}\n${renderEndpoints(baseUrl)}`,
  },
  compile: { tab: '/docs/compile', title: 'Compile API', read: () => readOwn('compile') },
  settings: {
    tab: '/docs/settings',
    title: 'Settings of a host',
    read: async () => `${await readOwn('settings')}\n${renderSettings()}`,
  },
  matrix: { tab: '/docs/matrix', title: 'Compatibility', read: async () => renderCompatibility() },
}

/** One page of the documentation. */
export async function showDocs(c: Context, { config }: Deps): Promise<Response> {
  const page = PAGES[c.req.param('page') ?? '']
  if (page === undefined) throw new NotFound('There is no such page in the documentation.')
  const { baseUrl } = config
  const source = (await page.read(baseUrl))
    // A README's rooted links lead into its tree; these lead into this host.
    .replaceAll('](/', ']({{base}}/')
    .replaceAll('{{base}}', baseUrl)
    .replaceAll('{{host}}', new URL(baseUrl).host)
  const text = renderMarkdown(source, { folder: '', blobPrefix: '/docs/', rawPrefix: '/docs/' })
    // What scrolls must be within reach of the keyboard.
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<table tabindex="0">')
  const main = html`<article class="prose docs">${raw(text)}</article>`
  return sendDocsPage(c, { tab: page.tab, title: page.title, main })
}

function readOwn(name: string): Promise<string> {
  return readFile(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')
}

/** `GET /docs/openapi.json`: for programs that make clients. */
export function sendApiDescription(c: Context, { config }: Deps): Response {
  return c.body(describeApi(config.baseUrl), 200, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
  })
}
