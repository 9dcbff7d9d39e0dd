/** The page on which a text is edited: plain fields, so that nothing but a browser is needed. */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { BuildProblem } from '../../domain/build.ts'
import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { formToken, readField } from '../session/session.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { commitFields } from './commit-fields.ts'
import type { CommitForm } from './commit-fields.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { marginNote } from '../ui/problem/margin-note.ts'
import { sendPage } from '../shell/page.ts'
import { pathField, textField } from './source-fields.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import type { EditPlace } from './find-edit-place.ts'
import { findPaperProblems, findRefPaper } from '../shell/repository/find-ref-paper.ts'

/** Problems that are told above the text when none of its lines was asked for. */
const MAX_TOLD = 5

/** What stands in the fields. */
export interface EditForm {
  /** The commit at which the text was opened. */
  readonly openedId: string
  readonly text: string
  readonly newPath: string
  readonly commit: CommitForm
  readonly way: EditWay
}

/** Whence somebody came to edit, and goes back. */
export interface EditWay {
  /** 1 = the first; null = no line was asked for. */
  readonly line: number | null
  readonly isFromPdf: boolean
  /** The document that was read; null = the first one. */
  readonly document: string | null
}

/** `Edit intro.tex`: what a commit says unless its maker knows better. */
export function usualMessage(path: string): string {
  return `Edit ${posix.basename(path)}`
}

/** The way as the address of the page says it. */
export function wayOfAddress(c: Context): EditWay {
  return toWay(c.req.query('line'), c.req.query('back'), c.req.query('doc'))
}

/** The way as the form has carried it. */
export async function wayOfForm(c: Context): Promise<EditWay> {
  return toWay(readField(c, 'line'), readField(c, 'back'), readField(c, 'doc'))
}

function toWay(line: string | undefined, back: string | undefined, doc: string | undefined): EditWay {
  const number = /^[1-9]\d{0,6}$/.test(line ?? '') ? Number(line) : null
  return { line: number, isFromPdf: back === 'pdf', document: doc === undefined || doc === '' ? null : doc }
}

/** Fields that carry the way, the branch and the commit along. */
export function hiddenFields({ branch }: EditPlace, { openedId, way }: Pick<EditForm, 'openedId' | 'way'>): Html {
  const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`
  return html`${hidden('branch', branch)} ${hidden('opened', openedId)}
  ${way.line === null ? '' : hidden('line', String(way.line))} ${way.isFromPdf ? hidden('back', 'pdf') : ''}
  ${way.document === null ? '' : hidden('doc', way.document)}`
}

/** The address of the file that is edited, or of the PDF that one came from. */
export function backHref({ repository }: EditPlace, at: { branch: string; path: string; way: EditWay }): string {
  if (at.way.isFromPdf) return pdfPath(repository, at.branch, at.way.document)
  return `${repositoryPath(repository)}/blob/${encodePath(at.branch)}/${encodePath(at.path)}`
}

/** The page; with problems when the form came back. */
export async function sendEditForm(
  c: Context,
  deps: Deps,
  { place, form, problems = noProblems }: { place: EditPlace; form: EditForm; problems?: FormProblems },
): Promise<Response> {
  const { repository, branch, path } = place
  const address = `${encodePath(branch)}/${encodePath(path)}`
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">
      ${breadcrumb({ repository, ref: { name: branch }, path })}
      <span class="actions"><a href="${repositoryPath(repository)}/delete/${address}">Delete this file</a></span>
    </div>
    <section class="edit" aria-labelledby="edit-title">
      <h2 id="edit-title">Edit ${posix.basename(path)} <span class="quiet">on ${branch}</span></h2>
      ${formProblems(problems)} ${await notesAbove(deps, place, form)}
      <form
        method="post"
        action="${repositoryPath(repository)}/edit/${address}"
        enctype="multipart/form-data"
        data-edit-form
        ${isRefused(problems) ? html`data-unsaved` : ''}
      >
        ${formToken(c)} ${hiddenFields(place, form)}
        ${pathField(form.newPath, { hint: 'Another path renames the file or moves it to another folder.', problems })}
        ${textField(form.text, { rows: 24, line: form.way.line, problems })}
        ${commitFields(form.commit, {
          branch,
          button: 'Commit changes',
          cancelHref: backHref(place, { branch, path, way: form.way }),
          problems,
        })}
      </form>
    </section>`
  return sendPage(c, {
    title: `Edit ${path} · ${repository.owner.login}/${repository.name}`,
    main,
    isWide: true,
    status: isRefused(problems) ? 422 : 200,
    scripts: ['edit-file'],
  })
}

/** What the newest build says of the line that is to be mended, or of the first lines of the file that need it. */
async function notesAbove(deps: Deps, place: EditPlace, { openedId, text, way }: EditForm): Promise<Html | ''> {
  const { repository, branch, path, headId } = place
  if (headId === null || headId !== openedId) return ''
  const ref = { kind: 'branch', name: branch, commitId: headId } as const
  const paper = await findRefPaper(deps, repository.id, { ref, document: way.document })
  const { documentCount, problems } = await findPaperProblems(deps, paper, headId)
  const isHere = (problem: BuildProblem): boolean =>
    problem.file === path && (way.line === null || problem.line === way.line)
  const told = problems.filter((problem) => isHere(problem) && (way.line !== null || problem.type === 'error'))
  const lines = text.split('\n')
  return html`${told
    .slice(0, MAX_TOLD)
    .map(
      (problem) =>
        html`<div class="note-above">
          ${problem.line === null ? '' : html`<p class="note-line"><span class="quiet">${problem.line}</span> <code>${lines[problem.line - 1] ?? ''}</code></p>`}
          ${marginNote(problem, { repository, documentCount })}
        </div>`,
    )}`
}
