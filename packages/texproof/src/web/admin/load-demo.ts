import type { Context } from 'hono'
import { html } from 'hono/html'

import { formToken } from '../session/form.ts'
import type { Html } from '../ui/html.ts'

/** Description of the demo data, and the button that loads it. */
export function loadDemo(c: Context): Html {
  return html`<p>
      Sample repositories of two demo users: an article with figures, slides, a thesis in many files, problem sheets,
      and a branch for every common mistake. The demo users have no password; to sign in as one, create a password reset
      link under Users. Their public repositories are visible to everyone who can read this host.
    </p>
    ${loadDemoForm(c)}`
}

/** The button alone. */
export function loadDemoForm(c: Context): Html {
  return html`<form method="post" action="/admin/demo">
    ${formToken(c)}
    <p><button class="button">Load demo data</button></p>
  </form>`
}
