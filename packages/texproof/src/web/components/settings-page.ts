import type { Context } from 'hono'
import { html } from 'hono/html'

import type { ScriptName } from '../assets.ts'
import type { Html } from './html.ts'
import { sendPage } from './page.ts'

const PAGES = [
  ['profile', 'Profile'],
  ['tokens', 'Access tokens'],
  ['sessions', 'Sessions'],
  ['security', 'Security'],
  ['appearance', 'Appearance'],
] as const

export type SettingsTab = (typeof PAGES)[number][0]

/** A page of the settings of whoever is signed in: what else there is to set at the left, this at the right. */
export async function sendSettingsPage(
  c: Context,
  page: {
    readonly tab: SettingsTab
    readonly title: string
    readonly main: Html
    readonly status?: 200 | 422 | 429
    readonly scripts?: readonly ScriptName[]
  },
): Promise<Response> {
  const { tab, title, main, status = 200, scripts = [] } = page
  c.header('cache-control', 'no-store')
  const layout = html`<div class="settings">
    <nav class="side" aria-label="Settings">
      <ul>
        ${PAGES.map(([id, label]) => html`<li><a href="/settings/${id}" ${id === tab ? html`aria-current="page"` : ''}>${label}</a></li>`)}
      </ul>
    </nav>
    <section>
      <h1>${title}</h1>
      ${main}
    </section>
  </div>`
  return sendPage(c, { title, main: layout, status, scripts })
}
