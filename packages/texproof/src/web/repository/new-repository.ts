import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { parseRepositoryName } from '../../domain/names.ts'
import type { Repository, User } from '../../domain/types.ts'
import { picturePath } from '../../domain/page-urls.ts'
import { copyTemplate } from '../../operations/repository/copy-template.ts'
import type { CreateRefusal } from '../../operations/repository/create-with-files.ts'
import { findOpenRepository } from '../../operations/repository/find-readable-repository.ts'
import { pictureWidths } from '../../papers/cache/page-image-store.ts'
import { findSignedIn } from '../session/find-caller.ts'
import { createRepository } from '../../operations/repository/create-repository.ts'
import type { CreateRepositoryOutcome } from '../../operations/repository/create-repository.ts'
import { createFromTemplate } from '../../operations/repository/create-from-template.ts'
import { paperStartNames, paperStarts, parsePaperStart } from '../../templates/paper-starts.ts'
import { gitignoreTemplates, licenseTemplates } from '../../templates/template-catalog.ts'
import type { TemplateCatalog } from '../../templates/template-catalog.ts'
import { templatePicturePath } from '../assets/assets.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { unlessDamaged } from '../shell/repository/unless-damaged.ts'
import { formField } from '../ui/form/form-field.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'

const MAX_DESCRIPTION_LENGTH = 500
/** Templates of the host in the gallery. */
const MAX_TEMPLATES = 50

interface NewForm {
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly hasFiles: boolean
  /** One of `paperStarts`, owner and name of a template, or `''`. */
  readonly paper: string
  readonly gitignore: string
  readonly license: string
  readonly problems: FormProblems
}

const EMPTY: NewForm = {
  name: '',
  description: '',
  isPrivate: true,
  hasFiles: false,
  paper: '',
  gitignore: 'TeX',
  license: '',
  problems: noProblems,
}

/** `GET /new`. */
export async function showNewRepository(c: Context, deps: Deps): Promise<Response> {
  requireViewer(c)
  return sendForm(c, deps, { ...EMPTY, name: c.req.query('name') ?? '', paper: c.req.query('paper') ?? '' })
}

/** `POST /new`: creates the repository and redirects to it. Names are never rewritten: they are accepted or refused. */
export async function postNewRepository(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const form = await readForm(c)
  const name = parseRepositoryName(form.name)
  const isTooLong = [...form.description].length > MAX_DESCRIPTION_LENGTH || /\p{Cc}/u.test(form.description)
  if (name === null || isTooLong) {
    const problems = {
      ...(name === null ? { name: explainName(form.name) } : {}),
      ...(isTooLong ? { description: 'Enter one line of at most 500 characters.' } : {}),
    }
    return sendForm(c, deps, { ...form, problems })
  }
  const template = form.paper.includes('/') ? await findTemplate(c, deps, form.paper) : null
  if (form.paper.includes('/') && template === null)
    return sendForm(c, deps, { ...form, paper: '', problems: { form: `Template ${form.paper} not found.` } })
  const outcome = await make(deps, user, { form: { ...form, name }, template })
  if (outcome.kind === 'refused') return sendForm(c, deps, { ...form, problems: { form: outcome.problem } })
  if (outcome.kind === 'created') return c.redirect(`/${user.login}/${name}`, 303)
  if (outcome.kind === 'over-quota') {
    const words = `You have reached your limit of ${outcome.limit} repositories. Delete one, or ask an administrator to raise your limit.`
    return sendForm(c, deps, { ...form, problems: { form: words } })
  }
  const taken = html`You already have a repository ${name}.
    <a href="/${user.login}/${name}">Open ${user.login}/${name}</a>`
  return sendForm(c, deps, { ...form, problems: { name: taken } })
}

async function make(
  deps: Deps,
  owner: User,
  { form, template }: { readonly form: NewForm; readonly template: Repository | null },
): Promise<CreateRepositoryOutcome | CreateRefusal> {
  const { baseUrl } = deps.config
  const { name, description, isPrivate, hasFiles } = form
  const firstCommit = {
    gitignore: known(gitignoreTemplates, form.gitignore),
    license: known(licenseTemplates, form.license),
  }
  const details = {
    owner,
    name,
    description: description === '' ? null : description,
    visibility: isPrivate ? 'private' : 'public',
    authorEmail: `noreply@${new URL(baseUrl).hostname}`,
    projectUrl: `${baseUrl}/${owner.login}/${name}`,
  } as const
  if (template !== null) return copyTemplate(deps, details, template)
  const start = parsePaperStart(form.paper)
  if (start !== null) return createFromTemplate(deps, { ...details, firstCommit }, start)
  return createRepository(deps, { ...details, firstCommit: hasFiles ? firstCommit : null })
}

async function readForm(c: Context): Promise<NewForm> {
  return {
    name: readField(c, 'name').trim(),
    description: readField(c, 'description').trim(),
    isPrivate: readField(c, 'visibility') !== 'public',
    hasFiles: readField(c, 'files') === 'yes',
    paper: readField(c, 'paper'),
    gitignore: readField(c, 'gitignore'),
    license: readField(c, 'license'),
    problems: noProblems,
  }
}

function known({ names }: TemplateCatalog, name: string): string | null {
  return names.has(name) ? name : null
}

/** The rule, and the first character that violates it. */
function explainName(name: string): string {
  const wrong = /[^A-Za-z0-9._-]/u.exec(name)?.[0]
  if (name === '') return 'Enter a name.'
  if (wrong === ' ') return 'Use letters, digits, ".", "-" and "_". The name cannot contain spaces.'
  if (wrong !== undefined) return `Use letters, digits, ".", "-" and "_". The name cannot contain "${wrong}".`
  return `"${name}" is too long or reserved. Choose another name.`
}

/** A template that the viewer may read; null = there is none of this name. */
async function findTemplate(c: Context, { store }: Deps, fullName: string): Promise<Repository | null> {
  const [owner = '', name = ''] = fullName.split('/')
  const found = await findOpenRepository(store, { caller: findSignedIn(c), owner, name })
  if (found === null || (await store.templates.find(found.repository.id)) === 'none') return null
  return found.repository
}

/** The templates of the gallery that the viewer may read, and the one that the address names. */
async function listTemplates(c: Context, deps: Deps, chosen: string): Promise<readonly Repository[]> {
  const listed = await deps.store.templates.list({ limit: MAX_TEMPLATES })
  const names = new Set([
    ...listed.map(({ owner, name }) => `${owner}/${name}`),
    ...(chosen.includes('/') ? [chosen] : []),
  ])
  const found = await Promise.all([...names].map((fullName) => findTemplate(c, deps, fullName)))
  return found.filter((template) => template !== null)
}

/** The first page of a template; null if it has no PDF. */
async function findPicture({ git, papers }: Deps, template: Repository): Promise<string | null> {
  const { id, defaultBranch: branch } = template
  const head = await git.findBranch(id, branch)
  if (head === null) return null
  const paper = await papers.findPaper(id, {
    ref: `refs/heads/${branch}`,
    commitId: head.commitId,
    document: null,
  })
  const pdfId = paper?.shown?.build.pdfId ?? null
  if (pdfId === null) return null
  return picturePath(template, branch, { document: null, page: 1, widthPx: pictureWidths[0], pdfId })
}

async function sendForm(c: Context, deps: Deps, form: NewForm): Promise<Response> {
  const { name, description, isPrivate, hasFiles, paper, gitignore, license, problems } = form
  const main = html`<section class="settings-form new-repository">
    <h1>New repository</h1>
    <p>Have existing files? <a href="/import">Import a zip, tar or LaTeX file</a>.</p>
    ${formProblems(problems)}
    <form method="post" action="/new">
      ${formToken(c)}
      ${formField({
        name: 'name',
        label: 'Name',
        autocomplete: 'off',
        value: name,
        hint: 'Letters, digits, ".", "-" and "_".',
        problems,
      })}
      ${formField({
        name: 'description',
        label: 'Description',
        autocomplete: 'off',
        value: description,
        hint: 'One line, up to 500 characters.',
        isOptional: true,
        problems,
      })}
      <fieldset>
        <legend>Visibility</legend>
        ${choice('visibility', 'private', 'Private: you and your collaborators', isPrivate)}
        ${choice('visibility', 'public', 'Public: everyone', !isPrivate)}
      </fieldset>
      ${await paperGallery(c, deps, paper)}
      <fieldset>
        <legend>Start with</legend>
        <p>
          <label
            ><input type="checkbox" name="files" value="yes" ${hasFiles ? html`checked` : ''} /> a README, and:</label
          >
        </p>
        ${select('gitignore', '.gitignore', { names: gitignoreTemplates.names, chosen: gitignore })}
        ${select('license', 'License', { names: licenseTemplates.names, chosen: license, hint: 'For papers: cc-by-4.0.' })}
      </fieldset>
      <p><button class="button">Create repository</button></p>
    </form>
  </section>`
  return sendPage(c, { title: 'New repository', main, status: isRefused(problems) ? 422 : 200 })
}

function choice(name: string, value: string, label: string, isChosen: boolean): Html {
  return html`<p>
    <label><input type="radio" name="${name}" value="${value}" ${isChosen ? html`checked` : ''} /> ${label}</label>
  </p>`
}

/** The templates as radio buttons with their first pages. */
async function paperGallery(c: Context, deps: Deps, chosen: string): Promise<Html> {
  const templates = await listTemplates(c, deps, chosen)
  const pictures = await Promise.all(
    templates.map((template) =>
      unlessDamaged(() => findPicture(deps, template), { log: deps.log, repository: template, fallback: null }),
    ),
  )
  const sheet = (src: string | null): Html =>
    src === null
      ? html`<span class="sheet"></span>`
      : html`<span class="sheet"><img src="${src}" alt="" width="240" loading="lazy" /></span>`
  const option = (value: string, label: string, picture: Html): Html =>
    html`<label class="template"
      ><input type="radio" name="paper" value="${value}" ${value === chosen ? html`checked` : ''} /> ${picture}
      <span>${label}</span></label
    >`
  return html`<fieldset class="template-choice" aria-describedby="paper-hint">
    <legend>Template</legend>
    <p class="quiet" id="paper-hint">Adds a sample paper and a README. The PDF is built right away.</p>
    <div class="templates">
      ${option('', 'Empty', sheet(null))}
      ${paperStartNames.map((start) => option(start, paperStarts[start], sheet(templatePicturePath(start))))}
      ${templates.map(({ owner, name }, index) => option(`${owner.login}/${name}`, `${owner.login}/${name}`, sheet(pictures[index] ?? null)))}
    </div>
  </fieldset>`
}

function select(
  name: string,
  label: string,
  {
    names,
    chosen,
    hint = null,
  }: { readonly names: ReadonlySet<string>; readonly chosen: string; readonly hint?: string | null },
): Html {
  const sorted = [...names].toSorted((left, right) => left.localeCompare(right))
  return html`<p class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${hint === null ? '' : html`aria-describedby="${name}-hint"`}>
      <option value="">none</option>
      ${sorted.map((each) => html`<option ${each === chosen ? html`selected` : ''}>${each}</option>`)}
    </select>
    ${hint === null ? '' : html`<span class="quiet" id="${name}-hint">${hint}</span>`}
  </p>`
}
