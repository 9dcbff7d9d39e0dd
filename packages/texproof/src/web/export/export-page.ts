/** The pages of an export: the form, the progress, and the report beside the package. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { describeVerification } from '../../operations/export/describe-verification.ts'
import { packageKeptMs, type ExportJob } from '../../operations/export/export-jobs.ts'
import type { Finding, Package, PackOptions, PackTarget, Verification } from '../../operations/export/types.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { lineHref } from '../content/line-href.ts'
import { formToken } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { formProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import type { ExportedDocument } from './export.ts'
import { capitalize } from '../../domain/text/capitalize.ts'

const targetNames = { arxiv: 'arXiv', journal: 'a journal' } as const
/** Rows of a list; the rest is counted. */
const maxShown = 100
const refreshEveryS = 3

/** The form for target and changes. */
export async function sendExportForm(
  c: Context,
  { repository, ref, paper, document }: ExportedDocument,
  {
    target,
    options,
    problem,
  }: { readonly target: PackTarget; readonly options: PackOptions; readonly problem: string | null },
): Promise<Response> {
  const query = document === null ? '' : `?doc=${encodeURIComponent(document)}`
  const main = html`${repositoryHeader(c, repository, 'pdf', ref.name)}
    <section class="settings-form">
      <h1>
        Export ${paper.newest.rootFile}
        <span class="quiet">on ${ref.kind === 'commit' ? ref.name.slice(0, 10) : ref.name}</span>
      </h1>
      ${formProblems(problem === null ? {} : { form: problem })}
      <form method="post" action="${repositoryPath(repository)}/export/${encodePath(ref.name)}${query}">
        ${formToken(c)}
        <fieldset>
          <legend>Package for</legend>
          ${radio('arxiv', 'arXiv', target)} ${radio('journal', 'A journal', target)}
        </fieldset>
        <fieldset>
          <legend>Changes</legend>
          ${checkbox(['comments', 'no'], 'Remove comments', options.withoutComments)}
          ${checkbox(['notes', 'no'], 'Remove to-do notes', options.withoutNotes)}
          ${checkbox(['flat', 'yes'], 'Merge into one source file, with figures in the same folder', options.isFlat)}
          ${checkbox(['anonymous', 'yes'], 'Remove authors, affiliations and acknowledgements', options.isAnonymous)}
        </fieldset>
        <p>
          The package contains only the files that the document uses, with its bibliography. To verify it, Texproof
          builds it on its own and compares every page with the PDF.
        </p>
        <p class="actions">
          <button class="button">Create package</button>
          <a href="${pdfPath(repository, ref.name, document)}">Cancel</a>
        </p>
      </form>
    </section>`
  const title = `Export · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: problem === null ? 200 : 422 })
}

/** The progress of an export, or its report. */
export async function sendExportPage(c: Context, repository: ViewedRepository, job: ExportJob): Promise<Response> {
  const { state, request } = job
  const isRunning = state.kind === 'running'
  const commitId = request.build.commitId
  const main = html`${repositoryHeader(c, repository, 'pdf', commitId)}
    <section class="settings-form">
      <h1>Package for ${targetNames[request.target]}</h1>
      <div data-live="export">
        <p>
          ${request.build.document} at commit
          <a href="${pdfPath(repository, commitId, request.build.document)}">${commitId.slice(0, 7)}</a>
        </p>
        ${isRunning ? html`<p class="banner banner-building" role="status" data-changing>◌ ${capitalize(state.step)} …</p>` : ''}
        ${state.kind === 'refused' ? html`<p class="banner banner-failed" role="status">✕ ${state.problem}</p>` : ''}
        ${state.kind === 'packed' ? report(repository, job, state.made) : ''}
      </div>
    </section>`
  return sendPage(c, {
    title: `Package for ${targetNames[request.target]} · ${repository.owner.login}/${repository.name}`,
    main,
    ...(isRunning ? { head: refreshWithoutScript(refreshEveryS), scripts: ['live'] } : {}),
  })
}

function report(repository: ViewedRepository, job: ExportJob, made: Omit<Package, 'zip'>): Html {
  const { fileName, files, leftOut, findings, verification } = made
  const path = `${repositoryPath(repository)}/exports/${job.id}/${encodeURIComponent(fileName)}`
  return html`${verificationBanner(verification)}
    <p><a class="button" href="${path}" download>Download ${fileName}</a></p>
    <p class="quiet">The package is deleted after ${packageKeptMs / 60_000} minutes at the latest.</p>
    <h2>Preflight report</h2>
    ${findings.length === 0 ? html`<p>Nothing found.</p>` : findingList(repository, job, findings)}
    <h2>Files</h2>
    <details open>
      <summary>${countOf(files.length, 'file')} in the package</summary>
      ${pathList(files)}
    </details>
    <details>
      <summary>${countOf(leftOut.length, 'file')} left out</summary>
      ${pathList(leftOut)}
    </details>`
}

function verificationBanner(verification: Verification): Html {
  const isGood = verification.kind === 'same' || (verification.kind === 'different' && verification.removed.length > 0)
  return html`<p class="banner ${isGood ? 'banner-good' : 'banner-failed'}" role="status">
    ${isGood ? '✓' : '✕'} ${describeVerification(verification)}
  </p>`
}

function findingList(repository: ViewedRepository, { request }: ExportJob, findings: readonly Finding[]): Html {
  return html`<ul class="findings">
      ${findings
        .slice(0, maxShown)
        .map(
          ({ level, message, file, line, remedy }) =>
            html`<li>
              <strong>${capitalize(level)}</strong>: ${message}
              ${file === null ? '' : html`<br />${place(repository, request.build.commitId, { file, line })}`}
              ${remedy === null ? '' : html`<br /><span class="quiet">${remedy}</span>`}
            </li>`,
        )}
    </ul>
    ${moreThan(findings.length)}`
}

function place(
  repository: ViewedRepository,
  commitId: string,
  { file, line }: { readonly file: string; readonly line: number | null },
): Html {
  const href =
    line === null
      ? `${repositoryPath(repository)}/blob/${commitId}/${encodePath(file)}`
      : lineHref(repository, commitId, { path: file, line })
  return html`<a href="${href}">${file}${line === null ? '' : `:${line}`}</a>`
}

function pathList(paths: readonly string[]): Html {
  return html`<ul>
      ${paths.slice(0, maxShown).map((path) => html`<li><code>${path}</code></li>`)}
    </ul>
    ${moreThan(paths.length)}`
}

function moreThan(count: number): Html | '' {
  return count <= maxShown ? '' : html`<p class="quiet">And ${(count - maxShown).toLocaleString('en')} more.</p>`
}

function radio(value: PackTarget, label: string, chosen: PackTarget): Html {
  const checked = value === chosen ? html`checked` : ''
  return html`<p>
    <label><input type="radio" name="for" value="${value}" ${checked} /> ${label}</label>
  </p>`
}

function checkbox([name, value]: readonly [name: string, value: string], label: string, isChecked: boolean): Html {
  return html`<p>
    <label><input type="checkbox" name="${name}" value="${value}" ${isChecked ? html`checked` : ''} /> ${label}</label>
  </p>`
}
