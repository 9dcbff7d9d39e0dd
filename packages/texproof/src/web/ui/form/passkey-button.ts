import { html } from 'hono/html'

import type { Html } from '../html.ts'
import { icon } from '../icon.ts'

/** A button that asks the browser for a passkey before its form goes to `action`. */
export interface PasskeyButton {
  /** `get` uses a passkey, `create` makes one. */
  readonly act: 'get' | 'create'
  /** Where the form goes with the answer. */
  readonly action: string
  /** Where the question comes from. @default `/options` below the action */
  readonly question?: string
  /** The field that takes the answer. @default `credential` */
  readonly field?: string
  readonly label: string
  /** Whether it is what the page is for. */
  readonly isPrimary: boolean
}

/** The button, in a form marked `data-passkey-form`. The script shows it where it works; without, a sentence stands. */
export function passkeyButton({
  act,
  action,
  question = `${action}/options`,
  field = 'credential',
  label,
  isPrimary,
}: PasskeyButton): Html {
  return html`<p class="problem-box" role="alert" data-passkey-problem hidden></p>
    <p data-passkey-part hidden>
      <button
        class="${isPrimary ? 'button' : 'button button-drawn'}"
        formaction="${action}"
        formnovalidate
        data-passkey="${act}"
        data-question="${question}"
      >
        ${icon('key')} ${label}
      </button>
    </p>
    <input type="hidden" name="${field}" value="" data-passkey-answer />
    <noscript><p class="quiet">Passkeys need JavaScript; everything else works without.</p></noscript>`
}
