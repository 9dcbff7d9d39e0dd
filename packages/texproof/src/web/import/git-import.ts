/** `/import/git`: imports a repository from another server; `/import/git/{id}` shows the progress. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { parseRepositoryName } from '../../domain/names.ts'
import type { Deps } from '../../operations/deps.ts'
import { parseGitAddress } from '../../operations/import/import-git.ts'
import { suggestRepositoryName } from '../../operations/import/suggest-repository-name.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { sendPage } from '../shell/page.ts'
import { formField } from '../ui/form/form-field.ts'
import { formProblems, isRefused, noProblems, type FormProblems } from '../ui/form/form-problems.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import type { GitImportJob, GitImports } from './git-imports.ts'
import { capitalize } from '../../domain/text/capitalize.ts'

interface GitForm {
  readonly address: string
  readonly name: string
  readonly isPrivate: boolean
  readonly isMirror: boolean
}

const refreshEveryS = 3

/** `GET /import/git`. */
export async function showGitImportForm(c: Context): Promise<Response> {
  requireViewer(c)
  return sendForm(c, { address: '', name: '', isPrivate: true, isMirror: false }, noProblems)
}

/** `POST /import/git`: starts the import and redirects to its page. */
export async function postGitImport(
  c: Context,
  { config, store, imports }: Deps & { readonly imports: GitImports },
): Promise<Response> {
  const { user } = requireViewer(c)
  const address = readField(c, 'address').trim()
  const url = parseGitAddress(address)
  const typed = readField(c, 'name').trim()
  const last = typeof url === 'string' ? '' : (url.pathname.split('/').findLast((part) => part !== '') ?? '')
  const form = {
    address,
    name: typed === '' ? suggestRepositoryName(last) : typed,
    isPrivate: readField(c, 'visibility') !== 'public',
    isMirror: readField(c, 'mirror') === 'yes',
  }
  if (typeof url === 'string') return sendForm(c, form, { address: url })
  const name = parseRepositoryName(form.name)
  if (name === null) return sendForm(c, form, { name: 'Use A–Z, a–z, 0–9, ".", "-" and "_", up to 100 characters.' })
  // The import checks this again, but only after the download.
  if ((await store.repositories.findByName(user.login, name)) !== null)
    return sendForm(c, form, { name: `${user.login}/${name} already exists. Choose another name.` })
  const details = {
    owner: user,
    name,
    description: null,
    visibility: form.isPrivate ? 'private' : 'public',
    authorEmail: `noreply@${new URL(config.baseUrl).hostname}`,
    projectUrl: `${config.baseUrl}/${user.login}/${name}`,
  } as const
  const id = imports.start(user, { details, address, isMirror: form.isMirror })
  if (id === null) return sendForm(c, form, { form: 'Too many imports are running. Try again in a few minutes.' })
  return c.redirect(`/import/git/${id}`, 303)
}

/** `GET /import/git/{id}`. */
export async function showGitImport(c: Context, { imports }: { readonly imports: GitImports }): Promise<Response> {
  const { id, job } = requireImport(c, imports)
  const isRunning = job.state.kind === 'running'
  if (job.state.kind === 'over' && job.state.outcome.kind === 'created') return c.redirect(`/${job.fullName}`, 303)
  const main = html`<section class="settings-form">
    <h1>Import ${job.fullName}</h1>
    <p>From <code>${job.address}</code></p>
    <div data-live="import">${describeState(job)} ${isRunning ? cancelForm(c, id) : ''}</div>
  </section>`
  return sendPage(c, {
    title: `Import ${job.fullName}`,
    main,
    ...(isRunning ? { head: refreshWithoutScript(refreshEveryS), scripts: ['live'] } : {}),
  })
}

/** `POST /import/git/{id}/cancel`: stops the import and redirects to its page. */
export async function cancelGitImport(c: Context, { imports }: { readonly imports: GitImports }): Promise<Response> {
  const { id, job } = requireImport(c, imports)
  imports.cancel(job.userId, id)
  return c.redirect(`/import/git/${id}`, 303)
}

function requireImport(c: Context, imports: GitImports): { readonly id: string; readonly job: GitImportJob } {
  const id = c.req.param('id') ?? ''
  const job = imports.find(requireViewer(c).user.id, id)
  if (job === null) throw new NotFound('Import not found. Look for the repository on your home page.')
  return { id, job }
}

function cancelForm(c: Context, id: string) {
  return html`<form method="post" action="/import/git/${id}/cancel">
    ${formToken(c)}
    <p><button class="plain-button">Cancel import</button></p>
  </form>`
}

function describeState({ state, fullName }: GitImportJob) {
  if (state.kind === 'running')
    return html`<p class="banner banner-building" role="status" data-changing>◌ ${capitalize(state.step)} …</p>`
  const again = html`<p><a href="/import/git">Import again</a></p>`
  const problem = (text: string) =>
    html`<p class="banner banner-failed" role="status">✕ ${text}</p>
      ${again}`
  switch (state.outcome.kind) {
    case 'created':
      return html`<p>Imported: <a href="/${fullName}">${fullName}</a></p>`
    case 'name-taken':
      return problem(`${fullName} already exists. Choose another name.`)
    case 'over-quota':
      return problem(`You have reached your limit of ${countOf(state.outcome.limit, 'repository', 'repositories')}.`)
    case 'refused':
      return problem(state.outcome.problem)
    case 'cancelled':
      return problem('The import was cancelled.')
    case 'failed':
      return problem('Internal error: the import could not run. See the server log.')
  }
}

async function sendForm(c: Context, form: GitForm, problems: FormProblems): Promise<Response> {
  const visibility = (value: string, label: string, isChosen: boolean) =>
    html`<p>
      <label><input type="radio" name="visibility" value="${value}" ${isChosen ? html`checked` : ''} /> ${label}</label>
    </p>`
  const main = html`<section class="settings-form new-repository">
    <h1>Import from git</h1>
    ${formProblems(problems)}
    <form method="post" action="/import/git">
      ${formToken(c)}
      ${formField({
        name: 'address',
        label: 'Address',
        autocomplete: 'off',
        value: form.address,
        hint: 'The address for cloning a public repository: https://git.example.org/alice/tides.git',
        problems,
      })}
      ${formField({
        name: 'name',
        label: 'Name',
        autocomplete: 'off',
        value: form.name,
        hint: 'Leave empty to use the name in the address.',
        isOptional: true,
        problems,
      })}
      <fieldset>
        <legend>Visibility</legend>
        ${visibility('private', 'Private: you and your collaborators', form.isPrivate)}
        ${visibility('public', 'Public: everyone', !form.isPrivate)}
      </fieldset>
      <fieldset>
        <legend>Later changes</legend>
        <p>
          <label
            ><input type="checkbox" name="mirror" value="yes" ${form.isMirror ? html`checked` : ''} /> Keep as a
            mirror</label
          >
        </p>
        <p class="hint">
          New commits are fetched regularly, and nobody can push or edit here. You can stop mirroring at any time.
        </p>
      </fieldset>
      <p>All branches and tags are imported with their history.</p>
      <p><button class="button">Import repository</button></p>
    </form>
  </section>`
  return sendPage(c, { title: 'Import from git', main, status: isRefused(problems) ? 422 : 200 })
}
