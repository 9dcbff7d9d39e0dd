import type { Context } from 'hono'

import type { BackLink } from '../ui/back-link.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { sidePage } from '../ui/side-page.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'

/** Seconds. */
const LIVE_EVERY_S = 2

const PAGES = [
  ['status', 'Status'],
  ['users', 'Users'],
  ['repos', 'Repositories'],
  ['builds', 'Builds'],
  ['settings', 'Settings'],
  ['log', 'Audit log'],
] as const

export type AdminTab = (typeof PAGES)[number][0]

/** An administration page. */
export async function sendAdminPage(
  c: Context,
  {
    tab,
    title,
    back,
    main,
    status = 200,
    refreshAfter,
    isLive = false,
  }: {
    readonly tab: AdminTab
    readonly title: string
    /** Link to the parent page, for a page that is not in the menu. */
    readonly back?: BackLink
    readonly main: Html
    readonly status?: 200 | 422
    readonly refreshAfter?: number | undefined
    /** The page updates itself; with script without a reload, see `live.browser.ts`. */
    readonly isLive?: boolean
  },
): Promise<Response> {
  c.header('cache-control', 'no-store')
  const layout = sidePage({ label: 'Administration', base: '/admin', pages: PAGES, tab, title, back, main })
  return sendPage(c, {
    title: `${title} · Administration`,
    main: layout,
    status,
    refreshAfter,
    ...(isLive ? { head: refreshWithoutScript(LIVE_EVERY_S), scripts: ['live'] } : {}),
  })
}
