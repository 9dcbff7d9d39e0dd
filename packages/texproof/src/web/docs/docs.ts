/** `/docs`: the documents shipped with the product. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { describeApi } from '../../compat/describe-api.ts'
import { renderCompatibility } from '../../compat/render-compatibility.ts'
import type { Deps } from '../../operations/deps.ts'
import { renderSettings } from '../../docs/render-settings.ts'
import { docsText, readDocs } from './docs-text.ts'
import { sendDocsPage } from './docs-page.ts'
import type { DocsTab } from './docs-page.ts'
import { NotFound } from '../session/errors.ts'

interface DocsSource {
  readonly tab: DocsTab
  readonly title: string
  /** Markdown. `{{base}}` and `{{host}}` are placeholders for this host. */
  readonly read: () => Promise<string>
}

const PAGES: Readonly<Record<string, DocsSource>> = {
  '': { tab: '/docs', title: 'Documentation', read: () => readDocs('index') },
  compile: { tab: '/docs/compile', title: 'Compile API', read: () => readDocs('compile') },
  webhooks: { tab: '/docs/webhooks', title: 'Webhooks', read: () => readDocs('webhooks') },
  settings: {
    tab: '/docs/settings',
    title: 'Settings',
    read: async () => `${await readDocs('settings')}\n${renderSettings()}`,
  },
  matrix: { tab: '/docs/matrix', title: 'Compatibility', read: async () => renderCompatibility() },
}

/** One page of the documentation. */
export async function showDocs(c: Context, { config }: Deps): Promise<Response> {
  const name = c.req.param('page') ?? ''
  const page = Object.hasOwn(PAGES, name) ? PAGES[name] : undefined
  if (page === undefined) throw new NotFound('Documentation page not found.')
  const { baseUrl } = config
  const main = html`<article class="prose docs">${await docsText(await page.read(), baseUrl)}</article>`
  return sendDocsPage(c, { tab: page.tab, title: page.title, main })
}

/** `GET /docs/openapi.json`: for client generators. */
export function sendApiDescription(c: Context, { config }: Deps): Response {
  return c.body(describeApi(config.baseUrl), 200, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-cache',
  })
}
