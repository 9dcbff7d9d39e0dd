/** `/settings/tokens/new`: creates a token. The next page shows its text once, with instructions. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { hashSecretText } from '../../base/secret-text.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import { allScopes } from '../../domain/scopes.ts'
import type { User } from '../../domain/types.ts'
import { createToken } from '../../accounts/tokens/create-token.ts'
import { describedBy, fieldProblem, formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { BackLink } from '../ui/back-link.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formField } from '../ui/form/form-field.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { formToken, readField } from '../session/form.ts'
import { acceptsGitHubCli } from '../../domain/accepts-github-cli.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'
import { redirectWithValue, takeValue } from '../session/cookies.ts'

const TOKENS: BackLink = { href: '/settings/tokens', label: 'Access tokens' }
const DAY_MS = 86_400_000
const MAX_NAME_LENGTH = 100
/** Days offered by the form; `''` = no expiry. A link may set another number. */
const LIFETIMES = ['7', '30', '90', '365', ''] as const
const MAX_DAYS = 3650

interface TokenForm {
  readonly name: string
  readonly isWriting: boolean
  readonly days: string
  readonly problems: FormProblems
}

/** The form; `?name=ci&scopes=repo:write&expires=30` fills it in. */
export async function showNewToken(c: Context): Promise<Response> {
  requireViewer(c)
  const scopes = c.req.query('scopes')
  return sendForm(c, {
    name: (c.req.query('name') ?? '').slice(0, MAX_NAME_LENGTH),
    isWriting: scopes === undefined || scopes.split(/[ ,]/).includes('repo:write'),
    days: readDays(c.req.query('expires')) ?? '90',
    problems: noProblems,
  })
}

/** `POST /settings/tokens`. Reloading the page that follows creates no other token. */
export async function postToken(c: Context, deps: Deps): Promise<Response> {
  const { store } = deps
  const { user } = requireViewer(c)
  const name = oneLine(readField(c, 'name'))
  const isWriting = readField(c, 'access') === 'write'
  const days = readDays(readField(c, 'days'))
  const form = { name, isWriting, days: days ?? '90', problems: noProblems }
  if (name === '' || name.length > MAX_NAME_LENGTH)
    return sendForm(c, {
      ...form,
      problems: { name: 'Enter a name of at most 100 characters.' },
    })
  if (days === null) return sendForm(c, { ...form, problems: { days: 'Choose when the token expires.' } })
  const question = isWriting ? await reauthenticate(c, deps) : null
  if (question !== null) return question
  const { text } = await createToken(store, {
    userId: user.id,
    name,
    scopes: isWriting ? allScopes : [],
    expiresAt: days === '' ? null : Date.now() + Number(days) * DAY_MS,
  })
  const { address } = clientOf(c)
  await store.events.add({ kind: 'token-created', userId: user.id, actorId: user.id, address, detail: name })
  return redirectWithValue(c, '/settings/tokens', 'made', text)
}

/** The page of the token that was created on the page before; null = none. */
export async function showMadeToken(c: Context, { store, config }: Deps): Promise<Response | null> {
  const { user } = requireViewer(c)
  const text = takeValue(c, 'made')
  const made = text === null ? null : await store.tokens.findByHash(hashSecretText(text))
  if (text === null || made?.user.id !== user.id) return null
  const main = showText(text, { user, config })
  return sendSettingsPage(c, { tab: 'tokens', title: 'Your new token', back: TOKENS, main })
}

/** Number of days offered by the form, or null. */
function readDays(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text === '' || text === 'none') return ''
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_DAYS ? String(Number(text)) : null
}

async function sendForm(c: Context, { name, isWriting, days, problems }: TokenForm): Promise<Response> {
  const lifetimes = LIFETIMES.some((known) => known === days) ? LIFETIMES : [days, ...LIFETIMES]
  const main = html`${formProblems(problems)}
    <form method="post" action="/settings/tokens" class="settings-form">
      ${formToken(c)}
      ${formField({
        name: 'name',
        label: 'Name',
        autocomplete: 'off',
        value: name,
        hint: 'For example: my laptop, nightly build.',
        problems,
      })}
      <fieldset>
        <legend>Access</legend>
        <p>
          <label
            ><input type="radio" name="access" value="write" ${isWriting ? html`checked` : ''} /> Read and write: push,
            create repositories</label
          >
        </p>
        <p>
          <label
            ><input type="radio" name="access" value="read" ${isWriting ? '' : html`checked`} /> Read only: clone,
            fetch, view PDFs</label
          >
        </p>
      </fieldset>
      <p class="field">
        <label for="days">Expires in</label>
        ${fieldProblem('days', problems)}
        <select id="days" name="days" ${describedBy('days', { hasHint: true, problems })}>
          ${lifetimes.map((value) => html`<option value="${value}" ${value === days ? html`selected` : ''}>${value === '' ? 'No expiration' : `${value} days`}</option>`)}
        </select>
        <span class="quiet" id="days-hint">Tokens that never expire are a security risk.</span>
      </p>
      <p><button class="button">Create token</button></p>
    </form>`
  return sendSettingsPage(c, {
    tab: 'tokens',
    title: 'New token',
    back: TOKENS,
    main,
    status: isRefused(problems) ? 422 : 200,
  })
}

/** A note for addresses with which the commands above do not work. */
function ghNote(baseUrl: string): Html | '' {
  if (acceptsGitHubCli(baseUrl)) return ''
  return html`<p class="quiet">
    The GitHub CLI requires HTTPS and a host name without a port. It does not work with ${baseUrl}.
  </p>`
}

function showText(text: string, { user, config }: { readonly user: User; readonly config: Deps['config'] }): Html {
  const { baseUrl } = config
  const host = new URL(baseUrl).host
  const snippet = (title: string, lines: string): Html =>
    html`<h2>${title}</h2>
      <pre class="type-this" tabindex="0"><code>${breakable(lines)}</code></pre>`
  // Prints are easily lost, and a token typed from paper is easily mistyped.
  return html`<p class="printed-only">The token is not printed. Copy it from the screen.</p>
    <div class="not-printed">
      <p class="notice">Copy the token now. You cannot see it again.</p>
      <p class="field token-text">
        <label for="token">Token</label>
        <input id="token" type="text" readonly value="${text}" spellcheck="false" />
        <button type="button" class="plain-button" data-copy="token" hidden>${icon('copy')} Copy</button>
      </p>
      ${snippet('git', `git remote add texproof ${baseUrl}/${user.login}/PAPER.git\ngit push texproof HEAD\n# user: ${user.login}   password: the token`)}
      ${snippet('curl', `curl -H "Authorization: token ${text}" ${baseUrl}/api/v3/user`)}
      ${snippet('Octokit', `import { Octokit } from '@octokit/rest'\nconst api = new Octokit({\n  auth: '${text}',\n  baseUrl: '${baseUrl}/api/v3',\n})`)}
      ${snippet('gh', `export GH_HOST=${host} GH_ENTERPRISE_TOKEN=${text}\ngh api user --jq .login`)} ${ghNote(baseUrl)}
    </div>`
}
