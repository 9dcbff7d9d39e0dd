import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'

import type { Html } from '../ui/html.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { redirectWithNotice } from '../session/notice.ts'

const YEAR_S = 365 * 86_400

/** `GET /settings/appearance`: the theme of pages in this browser, stored in a cookie. */
export async function showAppearance(c: Context): Promise<Response> {
  requireViewer(c)
  const theme = getCookie(c, 'texproof-theme') ?? 'system'
  const hasKeys = getCookie(c, 'texproof-keys') !== 'off'
  const choice = (value: string, label: string): Html =>
    html`<p>
      <label
        ><input type="radio" name="theme" value="${value}" ${value === theme ? html`checked` : ''} /> ${label}</label
      >
    </p>`
  const main = html`<form method="post" action="/settings/appearance" class="settings-form">
    ${formToken(c)}
    <fieldset>
      <legend>Theme</legend>
      ${choice('system', 'System')} ${choice('light', 'Light')} ${choice('dark', 'Dark')}
    </fieldset>
    <fieldset>
      <legend>Keyboard shortcuts</legend>
      <p>
        <label
          ><input type="checkbox" name="keys" value="on" ${hasKeys ? html`checked` : ''} /> Single-key shortcuts; press
          ? for the list</label
        >
      </p>
    </fieldset>
    <p><button class="button">Save appearance</button></p>
  </form>`
  return sendSettingsPage(c, { tab: 'appearance', title: 'Appearance', main })
}

/** `POST /settings/appearance`. */
export async function postAppearance(c: Context): Promise<Response> {
  requireViewer(c)
  const theme = readField(c, 'theme')
  const options = { path: '/', maxAge: YEAR_S, sameSite: 'Lax', secure: c.get('isSecure') === true } as const
  setCookie(c, 'texproof-theme', theme === 'light' || theme === 'dark' ? theme : 'system', options)
  setCookie(c, 'texproof-keys', readField(c, 'keys') === 'on' ? 'on' : 'off', options)
  return redirectWithNotice(c, '/settings/appearance', 'saved')
}
