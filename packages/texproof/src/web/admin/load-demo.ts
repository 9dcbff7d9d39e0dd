import type { Context } from 'hono'
import { html } from 'hono/html'

import { formToken } from '../session/form.ts'
import type { Html } from '../ui/html.ts'

/** What the demo papers are, and the button that loads them. */
export function loadDemo(c: Context): Html {
  return html`<p>
      Papers to look at, of two made-up people: an article with figures, slides, a thesis in many files, sheets of
      problems, and a branch for every common mistake. Nobody can sign in as either of them. Whoever may look around
      here sees the papers.
    </p>
    ${loadDemoForm(c)}`
}

/** The button alone. */
export function loadDemoForm(c: Context): Html {
  return html`<form method="post" action="/admin/demo">
    ${formToken(c)}
    <p><button class="button">Load demo papers</button></p>
  </form>`
}
