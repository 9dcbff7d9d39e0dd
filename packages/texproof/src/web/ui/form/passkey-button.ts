import { html } from 'hono/html'

import type { Html } from '../html.ts'
import { icon } from '../icon.ts'

/** A button that requests a passkey from the browser before its form is sent to `action`. */
export interface PasskeyButton {
  /** `get` uses a passkey, `create` creates one. */
  readonly act: 'get' | 'create'
  /** Where the form is sent. */
  readonly action: string
  /** Address of the options. @default `/options` below the action */
  readonly question?: string
  /** The field for the credential. @default `credential` */
  readonly field?: string
  readonly label: string
  /** Whether it is the primary action. */
  readonly isPrimary: boolean
}

/** The button, in a form marked `data-passkey-form`. The script shows it, or a sentence where unsupported. */
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
    <noscript><p class="quiet">Passkeys require JavaScript.</p></noscript>`
}
