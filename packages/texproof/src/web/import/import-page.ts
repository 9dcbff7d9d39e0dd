/** `/import`: chooses a file, then shows what it contains before the repository is created. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { nameTool } from '../../domain/tool-names.ts'
import { importLimits } from '../../operations/import/archive-limits.ts'
import type { MissingPackage } from '../../operations/import/find-missing-packages.ts'
import type { ArchiveSummary } from '../../operations/import/read-archive.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { formToken } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import { fileField } from '../ui/form/file-field.ts'
import { formField } from '../ui/form/form-field.ts'
import {
  describedBy,
  fieldProblem,
  formProblems,
  isRefused,
  noProblems,
  type FormProblems,
} from '../ui/form/form-problems.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Html } from '../ui/html.ts'
import { uploadKeptMs, type PendingUpload } from './pending-uploads.ts'

/** The new repository, as typed. */
export interface ImportForm {
  readonly name: string
  readonly isPrivate: boolean
}

const maxUploadBytes = 25 * 1024 ** 2
const uploadLimits = { fileBytes: maxUploadBytes, totalBytes: maxUploadBytes }
/** Rows of a list; the rest is counted. */
const maxShown = 50

/** The page on which the file is chosen. */
export async function sendImportForm(c: Context, problems: FormProblems = noProblems): Promise<Response> {
  const { files, fileBytes, unpackedBytes } = importLimits
  const main = html`<section class="settings-form new-repository">
    <h1>Import a paper</h1>
    <p>Already in a git repository? <a href="/import/git">Import from git</a>.</p>
    ${formProblems(problems)}
    <form method="post" action="/import" enctype="multipart/form-data">
      ${formToken(c)}
      <p class="field">
        <label for="archive">Archive or files</label>
        ${fieldProblem('archive', problems)}
        ${fileField('files', uploadLimits, html`id="archive" name="archive" ${describedBy('archive', { hasHint: true, problems })}`)}
        <span class="quiet" id="archive-hint"
          >A .zip, .tar or .tar.gz file, or the files of a paper, up to ${formatBytes(maxUploadBytes)}. Unpacked, at
          most ${files.toLocaleString('en')} files of ${formatBytes(fileBytes)} each, and ${formatBytes(unpackedBytes)}
          in total.</span
        >
      </p>
      <p class="field">
        <label for="folder">Or a folder</label>
        ${fileField('folder', uploadLimits, html`id="folder" name="folder" aria-describedby="folder-hint"`)}
        <span class="quiet" id="folder-hint"
          >Choose a folder, or drop it here. At most ${formatBytes(maxUploadBytes)} in total. If it is larger, or if
          your browser cannot upload folders, upload a .zip file.</span
        >
      </p>
      <p>You can review the files before the repository is created.</p>
      <p><button class="button">Upload</button></p>
    </form>
  </section>`
  return sendPage(c, { title: 'Import a paper', main, status: isRefused(problems) ? 422 : 200 })
}

/** The page that shows the content of an archive. */
export async function sendImportPreview(
  c: Context,
  view: {
    readonly id: string
    readonly upload: PendingUpload
    readonly form: ImportForm
    readonly problems?: FormProblems
  },
): Promise<Response> {
  const { id, upload, form, problems = noProblems } = view
  const { fileName, summary, missing } = upload
  const { fileCount, byteCount, topFolder } = summary
  const main = html`<section class="settings-form new-repository">
    <h1>Import ${fileName}</h1>
    ${formProblems(problems)}
    <p>
      ${countOf(fileCount, 'file')}, ${formatBytes(byteCount)}.
      ${topFolder === null ? '' : html`The top-level folder <code>${topFolder}</code> is removed.`}
    </p>
    <h2>Documents</h2>
    ${documentList(summary)} ${missingList(missing)} ${nestedList(summary.nestedArchives)}
    ${unportableList(summary.unportable)} ${skippedList(summary.skipped)}
    <h2>Repository</h2>
    <form method="post" action="/import/${id}">
      ${formToken(c)}
      ${formField({
        name: 'name',
        label: 'Name',
        autocomplete: 'off',
        value: form.name,
        hint: 'A–Z, a–z, 0–9, ".", "-" and "_".',
        problems,
      })}
      <fieldset>
        <legend>Visibility</legend>
        ${choice('private', 'Private: you and your collaborators', form.isPrivate)}
        ${choice('public', 'Public: everyone', !form.isPrivate)}
      </fieldset>
      <p><button class="button">Create repository</button></p>
    </form>
    <form method="post" action="/import/${id}">
      ${formToken(c)}
      <p class="quiet">The upload is deleted after ${uploadKeptMs / 60_000} minutes.</p>
      <p><button class="drawn-button" name="action" value="discard">Delete upload</button></p>
    </form>
  </section>`
  return sendPage(c, { title: `Import ${fileName}`, main, status: isRefused(problems) ? 422 : 200 })
}

function documentList({ found }: ArchiveSummary): Html {
  if (found.kind === 'misconfigured')
    return html`<p class="notice"><code>${found.file}</code> is not valid: ${found.message}. Nothing is built.</p>`
  if (found.kind !== 'found')
    return html`<p class="notice">No LaTeX document found. The files will be imported, but no PDF will be built.</p>`
  return html`<ul>
      ${found.documents
        .slice(0, maxShown)
        .map(({ rootFile, engine, reason }) => html`<li><code>${rootFile}</code>, ${nameTool(engine)}: ${reason}</li>`)}
    </ul>
    ${moreThan(found.documents.length)}`
}

function missingList(missing: readonly MissingPackage[]): Html | '' {
  if (missing.length === 0) return ''
  return html`<h2>Missing packages</h2>
    <ul>
      ${missing.map(({ name, installCommand }) =>
        installCommand === null
          ? html`<li><code>${name}</code>: no known package. Check the spelling, or add its file.</li>`
          : html`<li><code>${name}</code>: an administrator can install it with <code>${installCommand}</code></li>`,
      )}
    </ul>`
}

function nestedList(paths: readonly string[]): Html | '' {
  if (paths.length === 0) return ''
  return html`<h2>Nested archives</h2>
    <p>Imported as is, not unpacked.</p>
    <ul>
      ${paths.slice(0, maxShown).map((path) => html`<li><code>${path}</code></li>`)}
    </ul>
    ${moreThan(paths.length)}`
}

function unportableList(names: ArchiveSummary['unportable']): Html | '' {
  if (names.length === 0) return ''
  return html`<h2>Names not allowed on Windows or macOS</h2>
    <p>These files are imported. Rename them before you clone the repository on these systems.</p>
    <ul>
      ${names.slice(0, maxShown).map(({ path, reason }) => html`<li><code>${path}</code>: ${reason}</li>`)}
    </ul>
    ${moreThan(names.length)}`
}

function skippedList(skipped: ArchiveSummary['skipped']): Html | '' {
  if (skipped.length === 0) return ''
  return html`<h2>Skipped</h2>
    <ul>
      ${skipped.slice(0, maxShown).map(({ path, reason }) => html`<li><code>${path}</code>: ${reason}</li>`)}
    </ul>
    ${moreThan(skipped.length)}`
}

function moreThan(count: number): Html | '' {
  return count <= maxShown ? '' : html`<p class="quiet">And ${(count - maxShown).toLocaleString('en')} more.</p>`
}

function choice(value: string, label: string, isChosen: boolean): Html {
  return html`<p>
    <label><input type="radio" name="visibility" value="${value}" ${isChosen ? html`checked` : ''} /> ${label}</label>
  </p>`
}
