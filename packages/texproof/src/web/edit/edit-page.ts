/** The page on which a text is edited: plain form fields that need no script. */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { CommitProblem, CommitProblems } from '../../domain/build.ts'
import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { formToken } from '../session/form.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { commitFields } from './commit-fields.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { marginNote } from '../ui/problem/margin-note.ts'
import type { NotePlace } from '../ui/problem/margin-note.ts'
import { sendPage } from '../shell/page.ts'
import { pathField, textField } from './source-fields.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import type { EditLocation } from './find-edit-location.ts'
import type { EditForm, EditOrigin } from './read-edit-form.ts'
import { findPaperProblems, findRefPaper } from '../shell/repository/find-ref-paper.ts'

/** Problems listed above the text if no line was requested. */
const MAX_LISTED = 5

/** Hidden fields: branch, opened commit and origin. */
export function hiddenFields(
  { branch }: EditLocation,
  { openedId, origin }: Pick<EditForm, 'openedId' | 'origin'>,
): Html {
  const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`
  return html`${hidden('branch', branch)} ${hidden('opened', openedId)}
  ${origin.line === null ? '' : hidden('line', String(origin.line))} ${origin.isFromPdf ? hidden('back', 'pdf') : ''}
  ${origin.document === null ? '' : hidden('doc', origin.document)}`
}

/** The address that the editor returns to: the edited file, or the PDF it was opened from. */
export function returnHref(
  { repository }: EditLocation,
  at: { branch: string; path: string; origin: EditOrigin },
): string {
  if (at.origin.isFromPdf) return pdfPath(repository, at.branch, at.origin.document)
  return `${repositoryPath(repository)}/blob/${encodePath(at.branch)}/${encodePath(at.path)}`
}

/** The page, with the problems of a refused form. */
export async function sendEditPage(
  c: Context,
  deps: Deps,
  { location, form, problems = noProblems }: { location: EditLocation; form: EditForm; problems?: FormProblems },
): Promise<Response> {
  const { repository, branch, path } = location
  const address = `${encodePath(branch)}/${encodePath(path)}`
  const { documentCount, problems: buildProblems } = await findFileProblems(deps, location, form)
  const notes = notesAbove(buildProblems, form, { repository, documentCount })
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">
      ${breadcrumb({ repository, ref: { name: branch }, path, isHeading: false })}
      <span class="actions"><a href="${repositoryPath(repository)}/delete/${address}">Delete this file</a></span>
    </div>
    <section class="edit" aria-labelledby="edit-title">
      <h1 id="edit-title">Edit ${posix.basename(path)} <span class="quiet">on ${branch}</span></h1>
      ${formProblems(problems)} ${notes}
      <form
        method="post"
        action="${repositoryPath(repository)}/edit/${address}"
        enctype="multipart/form-data"
        data-edit-form
        ${isRefused(problems) ? html`data-unsaved` : ''}
      >
        ${formToken(c)} ${hiddenFields(location, form)}
        ${pathField(form.newPath, { hint: 'Change the path to rename or move the file.', problems })}
        ${textField(form.text, { rows: 24, line: form.origin.line, buildProblems, problems })}
        ${commitFields(form.commit, {
          branch,
          button: 'Commit changes',
          cancelHref: returnHref(location, { branch, path, origin: form.origin }),
          problems,
        })}
      </form>
    </section>`
  return sendPage(c, {
    title: `Edit ${path} · ${repository.owner.login}/${repository.name}`,
    main,
    isWide: true,
    status: isRefused(problems) ? 422 : 200,
    scripts: ['editor'],
  })
}

/** The problems that the newest builds report in the file, if the form shows the text that they compiled. */
async function findFileProblems(
  deps: Deps,
  { repository, branch, path, headId }: EditLocation,
  { openedId, origin }: EditForm,
): Promise<CommitProblems> {
  if (headId === null || headId !== openedId) return { documentCount: 0, problems: [] }
  const ref = { kind: 'branch', name: branch, commitId: headId } as const
  const paper = await findRefPaper(deps, repository.id, { ref, document: origin.document })
  const { documentCount, problems } = await findPaperProblems(deps, paper, headId)
  return { documentCount, problems: problems.filter(({ file }) => file === path) }
}

/** The problems on the edited line, or on the first lines with errors. */
function notesAbove(problems: readonly CommitProblem[], { text, origin }: EditForm, place: NotePlace): Html {
  const listed = problems.filter(({ line, type }) => (origin.line === null ? type === 'error' : line === origin.line))
  const lines = text.split('\n')
  return html`${listed
    .slice(0, MAX_LISTED)
    .map(
      (problem) =>
        html`<div class="note-above">
          ${problem.line === null ? '' : html`<p class="note-line"><span class="quiet">${problem.line}</span> <code>${lines[problem.line - 1] ?? ''}</code></p>`}
          ${marginNote(problem, place)}
        </div>`,
    )}`
}
