/** `/admin/settings`: the settings that can be changed here, and the source of every other value. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRegistrationRisk } from '../../accounts/join/open-registration.ts'
import { findRegistration, parseRegistration, setRegistration } from '../../accounts/join/registration.ts'
import type { ConfigLine } from '../../config/read-config.ts'
import type { Deps } from '../../operations/deps.ts'
import { sendAdminPage } from './admin-page.ts'
import { breakable } from '../ui/breakable.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { formField } from '../ui/form/form-field.ts'
import { registrationOptions } from '../ui/form/registration-options.ts'
import { formToken, readField } from '../session/form.ts'
import { requireAdmin } from '../session/viewer.ts'
import { redirectWithNotice } from '../session/notice.ts'

/** The page. */
export async function showAdminSettings(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  return sendSettings(c, deps, { ...(await findRegistration(deps.store)), problems: noProblems })
}

/** `POST /admin/settings/registration`: changes who may register. */
export async function postRegistration(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireAdmin(c)
  const typed = { mode: readField(c, 'mode'), emailDomain: readField(c, 'email_domain') }
  const registration = parseRegistration(typed.mode, typed.emailDomain)
  if (registration === null) {
    const problems = { email_domain: 'Invalid domain. Use a domain such as uni.example. Nothing was changed.' }
    return sendSettings(c, deps, { ...typed, problems })
  }
  await setRegistration(deps.store, registration)
  const { mode, emailDomain } = registration
  const detail = emailDomain === null ? mode : `${mode}, ${emailDomain}`
  await deps.store.events.add({ kind: 'registration-changed', userId: null, actorId: user.id, detail })
  return redirectWithNotice(c, '/admin/settings', 'saved')
}

/** The rule as stored, or as typed. */
interface RegistrationForm {
  readonly mode: string
  readonly emailDomain: string | null
  readonly problems: FormProblems
}

async function sendSettings(c: Context, deps: Deps, form: RegistrationForm): Promise<Response> {
  const { config, store } = deps
  const openCount = form.mode === 'closed' ? await store.codes.countOpen('invite') : 0
  const main = html`<h2>Registration</h2>
    ${formProblems(form.problems)} ${openCount === 0 ? '' : stillOpen(openCount)}
    <form method="post" action="/admin/settings/registration" class="settings-form">
      ${formToken(c)} ${registrationFields(form, { deps, risk: await findRegistrationRisk(deps) })}
      <p><button class="button">Save</button></p>
    </form>
    <h2>Set on the server</h2>
    <p>
      In order of precedence: flags of <code>texproof serve</code>, environment variables,
      <code>${config.dataDir}/texproof.toml</code>, defaults. Changes take effect after a restart.
      <code>texproof config show</code> prints the same list.
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Settings of the server">
      <table class="settings-table stacked-table server-settings">
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          ${config.origins.map(settingRow)}
        </tbody>
      </table>
    </div>`
  return sendAdminPage(c, { tab: 'settings', title: 'Settings', main, status: isRefused(form.problems) ? 422 : 200 })
}

/** Closing registration leaves open invitations valid; the administrator can revoke them. */
function stillOpen(count: number): Html {
  const words = count === 1 ? '1 invitation is still valid' : `${count} invitations are still valid`
  return html`<p class="notice">${words}: <a href="/admin/users#invitations">review or revoke them</a>.</p>`
}

function registrationFields(
  { mode, emailDomain, problems }: RegistrationForm,
  { deps, risk }: { readonly deps: Pick<Deps, 'mail'>; readonly risk: string | null },
): Html {
  return html`${registrationOptions(mode, risk)}
  ${formField({
    name: 'email_domain',
    label: 'Allowed email domains',
    autocomplete: 'off',
    value: emailDomain ?? '',
    hint: `Separate several with commas: uni.example, lab.example. Empty = any. Applies to "Anyone". ${
      deps.mail.isConfigured
        ? 'New users confirm their address by email.'
        : 'Addresses are not verified: this host does not send email.'
    }`,
    isOptional: true,
    problems,
  })}`
}

function settingRow({ key, value, source, description }: ConfigLine): Html {
  return html`<tr>
    <th scope="row">
      <code>${key}</code>
      <p class="quiet">${description}</p>
    </th>
    <td data-label="Value">
      ${value === null ? html`<span class="quiet">not set</span>` : html`<code>${breakable(value)}</code>`}
    </td>
    <td data-label="From">
      ${source === 'default' ? html`<span class="quiet">default</span>` : html`<code>${breakable(source)}</code>`}
    </td>
  </tr>`
}
