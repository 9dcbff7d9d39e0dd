/** `/admin/settings`: what a browser may change, and every other setting with where its value comes from. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRegistration, parseRegistration, setRegistration } from '../../../accounts/registration.ts'
import type { Registration } from '../../../accounts/registration.ts'
import type { ConfigLine } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { sendAdminPage } from '../../components/admin-page.ts'
import type { Html } from '../../components/html.ts'
import { formField, formProblem } from '../../components/sign-form.ts'
import { formToken, readField } from '../../access/session.ts'
import { requireAdmin } from '../../access/viewer.ts'

/** The page. */
export async function showAdminSettings(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  return sendSettings(c, deps, { registration: await findRegistration(deps.store), problem: null })
}

/** `POST /admin/settings/registration`: who may make an account from now on. */
export async function postRegistration(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireAdmin(c)
  const registration = parseRegistration(await readField(c, 'mode'), await readField(c, 'email_domain'))
  if (registration === null) {
    const problem = 'A domain looks like uni.example. Nothing was changed.'
    return sendSettings(c, deps, { registration: await findRegistration(deps.store), problem })
  }
  await setRegistration(deps.store, registration)
  const { mode, emailDomain } = registration
  const detail = emailDomain === null ? mode : `${mode}, ${emailDomain}`
  await deps.store.events.add({ kind: 'registration-changed', userId: null, actorId: user.id, detail })
  return c.redirect('/admin/settings', 303)
}

async function sendSettings(
  c: Context,
  { config }: Deps,
  { registration, problem }: { readonly registration: Registration; readonly problem: string | null },
): Promise<Response> {
  const main = html`<h2>Who may make an account</h2>
    ${formProblem(problem)}
    <form method="post" action="/admin/settings/registration" class="settings-form">
      ${formToken(c)} ${registrationFields(registration)}
      <p><button class="button">Save who may join</button></p>
    </form>
    <h2>Set on the server</h2>
    <p>
      A flag of <code>texproof serve</code> wins over a variable, a variable over
      <code>${config.dataDir}/texproof.toml</code>, the file over the default. All are read at the start: restart to
      change one. <code>texproof config show</code> prints the same.
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Settings of the server">
      <table class="settings-table stacked-table">
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
  return sendAdminPage(c, { tab: 'settings', title: 'Settings', main, status: problem === null ? 200 : 422 })
}

function registrationFields({ mode, emailDomain }: Registration): Html {
  const choice = (value: Registration['mode'], label: string): Html =>
    html`<p>
      <label><input type="radio" name="mode" value="${value}" ${value === mode ? html`checked` : ''} /> ${label}</label>
    </p>`
  return html`${choice('closed', 'Nobody: you make them')} ${choice('invite', 'Whoever has an invitation')}
  ${choice('open', 'Anyone')}
  ${formField({
    name: 'email_domain',
    label: 'Only with an e-mail address at',
    autocomplete: 'off',
    value: emailDomain ?? '',
    hint: 'Such as uni.example, several with commas between; empty = any. Counts for "Anyone".',
    isOptional: true,
  })}`
}

function settingRow({ key, value, source, meaning }: ConfigLine): Html {
  return html`<tr>
    <th scope="row">
      <code>${key}</code>
      <p class="quiet">${meaning}</p>
    </th>
    <td>${value === null ? html`<span class="quiet">not set</span>` : html`<code>${value}</code>`}</td>
    <td>${source === 'default' ? html`<span class="quiet">default</span>` : html`<code>${source}</code>`}</td>
  </tr>`
}
