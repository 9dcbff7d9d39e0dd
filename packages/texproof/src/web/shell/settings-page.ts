import type { Context } from 'hono'

import type { ScriptName } from '../assets/assets.ts'
import type { BackLink } from '../ui/back-link.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from './page.ts'
import { sidePage } from '../ui/side-page.ts'

const PAGES = [
  ['profile', 'Profile'],
  ['tokens', 'Access tokens'],
  ['sessions', 'Sessions'],
  ['security', 'Security'],
  ['usage', 'Usage'],
  ['appearance', 'Appearance'],
] as const

export type SettingsTab = (typeof PAGES)[number][0]

/** A settings page of the viewer: the menu on the left, the page on the right. */
export async function sendSettingsPage(
  c: Context,
  page: {
    readonly tab: SettingsTab
    readonly title: string
    /** Link to the parent page, for a page that is not in the menu. */
    readonly back?: BackLink
    readonly main: Html
    readonly status?: 200 | 422 | 429
    readonly scripts?: readonly ScriptName[]
  },
): Promise<Response> {
  const { tab, title, back, main, status = 200, scripts = [] } = page
  c.header('cache-control', 'no-store')
  const layout = sidePage({ label: 'Settings', base: '/settings', pages: PAGES, tab, title, back, main })
  return sendPage(c, { title, main: layout, status, scripts })
}
