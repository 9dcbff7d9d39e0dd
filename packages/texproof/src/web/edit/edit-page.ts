/** The page on which a text is edited: plain form fields that need no script. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { SharedDraft } from '../../live/rooms.ts'
import type { Deps } from '../../operations/deps.ts'
import { listOtherDrafts, type OtherDraft } from '../../operations/edit/other-drafts.ts'
import type { CommitProblem, CommitProblems } from '../../domain/build.ts'
import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { spellingFolder } from '../assets/spelling-assets.ts'
import { formToken } from '../session/form.ts'
import type { Paper } from '../../papers/types.ts'
import { paperViewer } from '../ui/document/paper-viewer.ts'
import { commitFields } from './commit-fields.ts'
import { editorBar } from './editor/editor-bar.ts'
import { draftKey, draftPath, livePath, readCommittedAttempt } from './draft.ts'
import { editorFiles } from './editor/editor-files.ts'
import { notesAbove } from './editor/notes-above.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { pathField, textField } from './source-fields.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import type { EditLocation } from './find-edit-location.ts'
import type { EditForm, EditOrigin } from './read-edit-form.ts'
import { findPaperProblems, findRefPaper } from '../shell/repository/find-ref-paper.ts'

/** Hidden fields: branch, user, opened commit, draft and origin. */
export function hiddenFields(
  { branch, caller }: EditLocation,
  { openedId, draftRevision, origin }: Pick<EditForm, 'openedId' | 'draftRevision' | 'origin'>,
): Html {
  const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}" />`
  return html`${hidden('branch', branch)} ${hidden('user', caller.user.id)} ${hidden('opened', openedId)}
  ${hidden('draft', String(draftRevision))} ${origin.line === null ? '' : hidden('line', String(origin.line))}
  ${origin.isFromPdf ? hidden('back', 'pdf') : ''} ${origin.document === null ? '' : hidden('doc', origin.document)}`
}

/** The address that the editor returns to: the edited file, or the PDF it was opened from. */
export function returnHref(
  { repository }: EditLocation,
  at: { branch: string; path: string; origin: EditOrigin },
): string {
  if (at.origin.isFromPdf) return pdfPath(repository, at.branch, at.origin.document)
  return `${repositoryPath(repository)}/blob/${encodePath(at.branch)}/${encodePath(at.path)}`
}

interface EditView {
  readonly location: EditLocation
  readonly form: EditForm
  /** The draft of the file; null = its changes are not stored. */
  readonly draft?: SharedDraft | null
  readonly problems?: FormProblems
}

/** The page, with the problems of a refused form: files, source, and PDF. */
export async function sendEditPage(c: Context, deps: Deps, view: EditView): Promise<Response> {
  const { location, problems = noProblems } = view
  const { repository, branch, path } = location
  const { paper, form } = await findPaper(deps, view)
  const { caller } = location
  const others = await listOtherDrafts(deps, draftKey(location), caller.user.id)
  const hasPreview = deps.config.isPreviewEnabled && paper !== null
  // The preview lists the problems of a changed draft, whose lines are not those of the build.
  const isPreviewed = hasPreview && view.draft?.isChanged === true
  const found = isPreviewed ? noProblemsFound : await findFileProblems(deps, paper, { location, form })
  const hasViewer = hasPreview || Boolean(paper?.shown)
  const rootFiles = new Set(paper?.documents.map(({ rootFile }) => rootFile))
  const shown = { document: paper === null ? null : form.origin.document, rootFiles }
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <section
      class="edit editor-page"
      aria-labelledby="edit-title"
      data-editor-page
      data-pane="source"
      ${isRefused(problems) ? html`data-committing` : ''}
    >
      ${editorBar(c, { location, draft: view.draft ?? null, document: form.origin.document, hasPdf: Boolean(paper?.shown), hasPreview })}
      <div class="editor-panes">
        ${await editorFiles(deps, location, shown)} ${separator('files', 'Width of the file list')}
        <div class="editor-source">
          ${formProblems(problems)}
          ${notesAbove(found.problems, { text: form.text, line: form.origin.line }, { repository, documentCount: found.documentCount })}
          ${editForm(c, { ...view, form }, { buildProblems: found.problems, hasPreview, isPdfCurrent: isPdfCurrent(paper), isOneServer: deps.store.instances === null, others })}
        </div>
        ${separator('pdf', 'Width of the PDF')}
        <div class="editor-pdf" id="editor-pdf">
          ${
            paper?.shown
              ? ''
              : html`<p class="quiet" data-without-viewer>The PDF appears here after the first build.</p>`
          }
          ${paper !== null && hasViewer ? paperViewer(paper, { repository, refName: branch }) : ''}
        </div>
      </div>
    </section>`
  return sendPage(c, {
    title: `Edit ${path} · ${repository.owner.login}/${repository.name}`,
    main,
    isWide: true,
    isViewer: true,
    status: isRefused(problems) ? 422 : 200,
    scripts: ['editor', ...(hasViewer ? (['pdf-viewer'] as const) : [])],
  })
}

/** Whether the PDF of the branch is of its newest commit, also with errors. */
function isPdfCurrent(paper: Paper | null): boolean {
  const status = paper?.shown?.status
  return status === 'current' || status === 'flawed'
}

function editForm(
  c: Context,
  view: EditView,
  {
    buildProblems,
    hasPreview,
    isPdfCurrent,
    isOneServer,
    others,
  }: {
    readonly buildProblems: readonly CommitProblem[]
    readonly hasPreview: boolean
    /** Whether the shown PDF is of the newest commit. */
    readonly isPdfCurrent: boolean
    readonly isOneServer: boolean
    readonly others: readonly OtherDraft[]
  },
): Html {
  const { location, form, draft = null, problems = noProblems } = view
  const { repository, branch, path } = location
  return html`<form
    method="post"
    action="${repositoryPath(repository)}/edit/${encodePath(branch)}/${encodePath(path)}"
    enctype="multipart/form-data"
    data-edit-form
    ${draft === null || !form.isLive ? '' : draftAttributes(c, location, draft)}
    ${hasPreview ? html`data-preview="${repositoryPath(repository)}/preview/${encodePath(branch)}/${encodePath(path)}"` : ''}
    ${hasPreview && (!isPdfCurrent || draft?.isChanged === true || others.length > 0) ? html`data-preview-on-open` : ''}
    ${isOneServer ? html`data-one-server` : ''}
    data-path="${path}"
    data-uploads="${repositoryPath(repository)}/upload/${encodePath(branch)}/"
    data-files="${repositoryPath(repository)}/edit/${encodePath(branch)}/"
    data-search="${repositoryPath(repository)}/search/${encodePath(branch)}/${encodePath(path)}"
    data-rename="${repositoryPath(repository)}/rename/${encodePath(branch)}/${encodePath(path)}"
    data-spelling="${spellingFolder()}"
    data-dictionary="${repositoryPath(repository)}/spelling/${encodePath(branch)}/${encodePath(path)}"
    data-formula="${repositoryPath(repository)}/formula/${encodePath(branch)}/${encodePath(path)}"
    data-replace="${repositoryPath(repository)}/replace/${encodePath(branch)}/${encodePath(path)}"
    data-project="${repositoryPath(repository)}/project/${encodePath(branch)}/${encodePath(path)}${form.origin.document === null ? '' : `?doc=${encodeURIComponent(form.origin.document)}`}"
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
      more: otherDrafts(others, form.otherPaths),
    })}
    <button class="plain-button" data-commit-here hidden>Commit and keep editing</button>
  </form>`
}

/** The drafts of other files, to commit with this one. The drafts of the user are selected at first. */
function otherDrafts(others: readonly OtherDraft[], chosen: readonly string[] | null): Html {
  const isChosen = ({ path, isOwn }: OtherDraft): boolean => (chosen === null ? isOwn : chosen.includes(path))
  return html`<div data-other-drafts>
    ${
      others.length === 0
        ? ''
        : html`<fieldset class="other-drafts">
            <legend>Also commit the drafts of</legend>
            ${others.map(
              (other) =>
                html`<p>
                  <label
                    ><input
                      type="checkbox"
                      name="other"
                      value="${other.path}"
                      ${isChosen(other) ? html`checked` : ''}
                    />
                    <code>${other.path}</code></label
                  >
                </p>`,
            )}
          </fieldset>`
    }
  </div>`
}

/**
 * Attributes of the editor: the address of the live connection, and the document. The browser keeps changes by these
 * addresses, which contain the user: another one may use it later.
 */
function draftAttributes(c: Context, location: EditLocation, { epoch, state }: SharedDraft): Html {
  const { id } = location.caller.user
  return html`data-user="${id}" data-draft="${draftPath(location)}?user=${id}" data-live="${livePath(location)}"
  data-epoch="${epoch}" data-committed-attempt="${readCommittedAttempt(c)}"
  data-state="${Buffer.from(state).toString('base64')}"`
}

/** Between two panes; its pane is resized with the pointer or the arrow keys. */
function separator(pane: 'files' | 'pdf', label: string): Html {
  return html`<div
    class="editor-separator"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label="${label}"
    aria-controls="editor-${pane}"
    aria-valuemin="10"
    aria-valuemax="70"
    aria-valuenow="${pane === 'files' ? 15 : 42}"
    data-resize="${pane}"
  ></div>`
}

/**
 * The paper of the branch, null if it has none or no commit, and the form with its document. A file that is the root of a
 * document opens with that one.
 */
async function findPaper(
  deps: Deps,
  { location: { repository, branch, headId, path }, form }: EditView,
): Promise<{ readonly paper: Paper | null; readonly form: EditForm }> {
  if (headId === null) return { paper: null, form }
  const ref = { kind: 'branch', name: branch, commitId: headId } as const
  const find = (document: string | null) => findRefPaper(deps, repository.id, { ref, document })
  const { origin } = form
  const paper = await find(origin.document)
  const isChosen = origin.document !== null || origin.isFromPdf
  const own = isChosen ? undefined : paper?.documents.find(({ rootFile }) => rootFile === path)
  if (own === undefined || own.document === paper?.document) return { paper, form }
  return { paper: await find(own.document), form: { ...form, origin: { ...origin, document: own.document } } }
}

const noProblemsFound: CommitProblems = { documentCount: 0, problems: [] }

/** The problems that the newest builds report in the file, if the form began with the text that they compiled. */
async function findFileProblems(
  deps: Deps,
  paper: Paper | null,
  { location: { headId, path }, form: { openedId } }: EditView,
): Promise<CommitProblems> {
  if (headId === null || headId !== openedId) return noProblemsFound
  const { documentCount, problems } = await findPaperProblems(deps, paper, headId)
  return { documentCount, problems: problems.filter(({ file }) => file === path) }
}
