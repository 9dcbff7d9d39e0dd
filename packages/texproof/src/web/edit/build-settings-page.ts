import { diffLines } from 'diff'
import type { Context } from 'hono'
import { html } from 'hono/html'

import { nameTool } from '../../domain/tool-names.ts'
import { buildSettingsPath, encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import type { BuildSettingsOfCommit, DocumentRow } from '../../operations/edit/build-settings.ts'
import type { EditedDocument } from '../../papers/detect/edit-texproof-toml.ts'
import { CONFIGURATION_FILE } from '../../papers/detect/find-documents.ts'
import { formToken } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { describedBy, fieldProblem, formProblems, isRefused, type FormProblems } from '../ui/form/form-problems.ts'
import { formField } from '../ui/form/form-field.ts'
import { textArea } from '../ui/form/text-area.ts'
import type { Html } from '../ui/html.ts'
import { commitFields } from './commit-fields.ts'
import { hiddenFields } from './edit-page.ts'
import type { EditLocation } from './find-edit-location.ts'
import { newCommitForm } from './read-edit-form.ts'

/** A document of the form. */
export interface EditedRow extends EditedDocument {
  readonly isRemoved: boolean
}

/** The form, each value as typed; `''` = not set. */
export interface SettingsForm {
  /** The commit whose settings it changes. */
  readonly openedId: string
  readonly rows: readonly EditedRow[]
  readonly auto: string
  readonly timeout: string
}

interface SettingsView {
  readonly location: EditLocation
  readonly opened: Extract<BuildSettingsOfCommit, { readonly kind: 'read' }>
  readonly form: SettingsForm
  readonly problems: FormProblems
}

const ENGINES = ['pdflatex', 'xelatex', 'lualatex', 'latex', 'platex', 'uplatex'] as const
const BIBLIOGRAPHY_TOOLS = ['bibtex', 'biber', 'none'] as const
const TRIGGERS = {
  '': 'Every branch (default)',
  branches: 'Every branch',
  default: 'Only the default branch',
  demand: 'No branch: build on request',
} as const
const EMPTY_ROW: EditedRow = { at: null, root: '', name: '', engine: '', bibliography: '', isRemoved: false }
/** Lines of the file shown around a change. */
const CONTEXT_LINES = 3

/** The form, with its problems. */
export function sendSettingsForm(
  c: Context,
  { config }: Deps,
  { location, opened, form, problems }: SettingsView,
): Promise<Response> {
  const { repository, branch } = location
  const { timeoutMs, maxTimeoutMs } = config.build
  const action = buildSettingsPath(repository, branch)
  const rows = [...form.rows, EMPTY_ROW]
  const main = html`${repositoryHeader(c, repository, 'settings', branch)}
    <section class="settings-form build-settings">
      <h1>Build settings <span class="quiet">on ${branch}</span></h1>
      ${formProblems(problems)}
      ${
        opened.problem === null
          ? ''
          : html`<p class="banner banner-failed">✕ <code>${CONFIGURATION_FILE}</code> ${opened.problem}</p>`
      }
      <p>
        Values that are not set are detected from the sources. Changes are committed to
        <code>${CONFIGURATION_FILE}</code>. <a href="${textPath(location, opened.source !== null)}">Edit as text</a>
      </p>
      <form method="post" action="${action}">
        ${formToken(c)} <input type="hidden" name="branch" value="${branch}" />
        <input type="hidden" name="opened" value="${form.openedId}" />
        <input type="hidden" name="count" value="${rows.length}" />
        <datalist id="sources">${opened.sources.map((path) => html`<option value="${path}"></option>`)}</datalist>
        ${rows.map((row, index) => documentFields(row, { index, isNew: index === rows.length - 1, opened, problems }))}
        <fieldset>
          <legend>Builds</legend>
          ${select('auto', 'Build on push', TRIGGERS, form.auto)}
          ${formField({
            name: 'timeout',
            label: 'Timeout',
            autocomplete: 'off',
            value: form.timeout,
            isOptional: true,
            hint: `For example 120s. Default: ${timeoutMs / 1000}s; at most ${maxTimeoutMs / 1000}s.`,
            problems,
          })}
        </fieldset>
        <p class="actions">
          <button class="button">Review changes</button> <a href="${pdfPath(repository, branch, null)}">Cancel</a>
        </p>
      </form>
    </section>`
  return sendPage(c, {
    title: `Build settings · ${repository.owner.login}/${repository.name}`,
    main,
    status: isRefused(problems) ? 422 : 200,
  })
}

interface RowView {
  readonly index: number
  /** Whether it is the empty row that adds a document. */
  readonly isNew: boolean
  readonly opened: SettingsView['opened']
  readonly problems: FormProblems
}

function documentFields(row: EditedRow, { index, isNew, opened, problems }: RowView): Html {
  const { detected } = opened.rows[index] ?? NO_ROW
  const known = isNew ? null : detected
  const id = `root-${index}`
  const fields = html`<p class="field">
      <label for="${id}">Root file</label>
      ${fieldProblem(id, problems)}
      <input
        id="${id}"
        name="${id}"
        value="${row.root}"
        list="sources"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        ${describedBy(id, { hasHint: known !== null, problems })}
      />
      ${known === null ? '' : html`<span class="quiet" id="${id}-hint">Reason: ${known.reasons.root}.</span>`}
    </p>
    ${formField({
      name: `name-${index}`,
      label: 'PDF name',
      autocomplete: 'off',
      value: row.name,
      isOptional: true,
      hint: known === null ? 'Default: the name of the root file.' : `Without .pdf. Currently ${known.name}.`,
      problems,
    })}
    ${select(`engine-${index}`, 'Engine', choices(ENGINES, known?.engine, row.engine), row.engine, reasonHint(known?.reasons.engine))}
    ${select(
      `bibliography-${index}`,
      'Bibliography',
      choices(BIBLIOGRAPHY_TOOLS, known?.bibliography, row.bibliography),
      row.bibliography,
      reasonHint(known === null ? undefined : (known.reasons.bibliography ?? 'no bibliography in the sources')),
    )}`
  if (isNew)
    return html`<details class="add-document">
      <summary>Add a document</summary>
      <fieldset>
        <legend>New document</legend>
        ${fields}
      </fieldset>
    </details>`
  return html`<fieldset id="document-${index}">
    <legend>${known?.name ?? row.root}</legend>
    <input type="hidden" name="at-${index}" value="${row.at ?? ''}" />
    ${fields}
    <p>
      <label
        ><input type="checkbox" name="remove-${index}" value="yes" ${row.isRemoved ? html`checked` : ''} /> Do not build
        this document</label
      >
    </p>
  </fieldset>`
}

const NO_ROW: Pick<DocumentRow, 'detected'> = { detected: null }

function reasonHint(reason: string | undefined): string | null {
  return reason === undefined ? null : `Reason: ${reason}.`
}

/** The tools by value; `''` = the detected one. */
function choices(
  tools: readonly string[],
  detected: string | undefined,
  chosen: string,
): Readonly<Record<string, string>> {
  const name = (tool: string): string => (tool === 'none' ? 'None' : nameTool(tool))
  // While a tool is set, detection does not run.
  const usual = detected === undefined || chosen !== '' ? 'Detect' : `Detected: ${name(detected)}`
  return { '': usual, ...Object.fromEntries(tools.map((tool) => [tool, name(tool)])) }
}

function select(
  name: string,
  label: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
  hint: string | null = null,
): Html {
  return html`<p class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${hint === null ? '' : html`aria-describedby="${name}-hint"`}>
      ${Object.entries(options).map(([value, text]) => html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`)}
    </select>
    ${hint === null ? '' : html`<span class="quiet" id="${name}-hint">${hint}</span>`}
  </p>`
}

/** The changed settings. `source` null = the file is new. */
interface Review {
  readonly location: EditLocation
  readonly openedId: string
  readonly source: string | null
  readonly text: string
}

/** The diff, and the form of the editor that commits it. */
export async function sendReview(
  c: Context,
  { git }: Deps,
  { location, openedId, source, text }: Review,
): Promise<Response> {
  const { repository, branch, caller } = location
  const branches = await git.listBranches(repository.id)
  const commit = newCommitForm('Change build settings', { login: caller.user.login, branches })
  const origin = { line: null, isFromPdf: source !== null, document: null }
  const main = html`${repositoryHeader(c, repository, 'settings', branch)}
    <section class="edit" aria-labelledby="review-title">
      <h1 id="review-title">Review build settings <span class="quiet">on ${branch}</span></h1>
      <section class="change">
        <h2>${CONFIGURATION_FILE}</h2>
        ${changeTable(source ?? '', text)}
      </section>
      <form method="post" action="${textPath(location, source !== null)}" enctype="multipart/form-data">
        ${formToken(c)} ${hiddenFields(location, { openedId, draftRevision: 0, origin })}
        <input type="hidden" name="path" value="${CONFIGURATION_FILE}" />
        ${textArea(text, html`name="text" hidden`)}
        ${commitFields(commit, { branch, button: 'Commit changes', cancelHref: buildSettingsPath(repository, branch) })}
      </form>
    </section>`
  return sendPage(c, {
    title: `Review build settings · ${repository.owner.login}/${repository.name}`,
    main,
    isWide: true,
  })
}

/** The changed lines with their context. */
function changeTable(before: string, after: string): Html {
  const parts = diffLines(before, after)
  const signs = { added: '+', removed: '−', kept: '' }
  const rows = parts.flatMap(({ value, added, removed }, at) => {
    const lines = value.replace(/\n$/, '').split('\n')
    const kind = added ? 'added' : removed ? 'removed' : 'kept'
    const start = at === 0 ? 0 : CONTEXT_LINES
    const end = at === parts.length - 1 ? lines.length : lines.length - CONTEXT_LINES
    const isShown = (index: number): boolean =>
      kind !== 'kept' || (at > 0 && index < start) || (at < parts.length - 1 && index >= end)
    return lines.flatMap((line, index) => (isShown(index) ? [{ kind, line } as const] : []))
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Changes">
    <table class="code patch">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Change</th>
          <th scope="col">Text</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ kind, line }) =>
            html`<tr class="${kind}">
              <td>${signs[kind]}</td>
              <td><code>${line === '' ? '\n' : line}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Shown for a file that has to be corrected as text first. */
export function sendUnreadable(c: Context, location: EditLocation, problem: string): Promise<Response> {
  const { repository, branch } = location
  const main = html`${repositoryHeader(c, repository, 'settings', branch)}
    <section class="settings-form">
      <h1>Build settings <span class="quiet">on ${branch}</span></h1>
      <p class="banner banner-failed">✕ <code>${CONFIGURATION_FILE}</code> ${problem}</p>
      <p><a class="drawn-button" href="${textPath(location, true)}">Edit as text</a></p>
    </section>`
  return sendPage(c, { title: `Build settings · ${repository.owner.login}/${repository.name}`, main })
}

/** The editor of the file, or the form for a new file. */
function textPath({ repository, branch }: EditLocation, isThere: boolean): string {
  const base = repositoryPath(repository)
  return isThere ? `${base}/edit/${encodePath(branch)}/${CONFIGURATION_FILE}` : `${base}/new/${encodePath(branch)}`
}
