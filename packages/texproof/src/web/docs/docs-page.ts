import type { Context } from 'hono'
import { html } from 'hono/html'

import type { ScriptName } from '../assets/assets.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'

const PAGES = [
  ['/docs', 'Overview'],
  ['/docs/api', 'REST API'],
  ['/docs/matrix', 'Compatibility'],
  ['/docs/compile', 'Compile API'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/errors', 'Problems'],
  ['/docs/settings', 'Settings'],
  ['/status/tex', 'TeX installation'],
] as const

export type DocsTab = (typeof PAGES)[number][0]

/** A page of the documentation with links to the others. */
export function sendDocsPage(
  c: Context,
  {
    tab,
    title,
    main,
    scripts = [],
  }: {
    readonly tab: DocsTab | null
    readonly title: string
    readonly main: Html
    readonly scripts?: readonly ScriptName[]
  },
): Promise<Response> {
  const layout = html`<nav class="tabs" aria-label="Documentation">
      ${PAGES.map(([href, label]) => html`<a href="${href}" ${href === tab ? html`aria-current="page"` : ''}>${label}</a>`)}
    </nav>
    ${main}`
  return sendPage(c, { title, main: layout, scripts })
}
