import { html } from 'hono/html'

import type { Build, BuildProblem } from '../../../domain/build.ts'
import { groupByCause } from '../../../domain/group-by-cause.ts'
import type { Repository } from '../../../domain/types.ts'
import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import { countOf } from '../../../papers/push/describe-push.ts'
import { lineHref } from '../../content/line-href.ts'
import { breakable } from '../breakable.ts'
import { explanationLink } from './problem-text.ts'
import type { Html } from '../html.ts'
import { symbol } from '../symbol.ts'
import { remedyText } from './problem-text.ts'

/** Visible in the PDF, so they are listed last. */
const BOX_CODES: ReadonlySet<string> = new Set(['overfull-hbox', 'underfull-hbox', 'overfull-vbox', 'underfull-vbox'])
const MAX_LISTED = 200

/** Whether a warning is about a line or page that does not fill its box. */
export function isBoxWarning(problem: BuildProblem): boolean {
  return problem.type === 'warning' && BOX_CODES.has(problem.code)
}

/** Context of a list of problems. */
export interface ProblemPlace {
  readonly repository: Repository
  /** The ref whose PDF is of this build, to link problems to its pages; null = link to the source alone. */
  readonly pdfRef: string | null
  /** Where a line can be edited; null = the branch has moved, or the viewer may not edit. */
  readonly editHref: ((place: { readonly path: string; readonly line: number }) => string) | null
}

/** All problems of a build, errors first, each linked to its line at the build's commit. */
export function problemList(build: Build, place: ProblemPlace): Html {
  const boxes = build.warnings.filter(isBoxWarning)
  const warnings = build.warnings.filter((warning) => !isBoxWarning(warning))
  const problems = [
    ...groupByCause(build.errors).map(({ error, followers }) => ({ problem: error, followers })),
    ...warnings.map((warning) => ({ problem: warning, followers: [] })),
  ]
  if (problems.length === 0 && boxes.length === 0) return html`<p class="quiet">No errors and no warnings.</p>`
  return html`${listOf(problems, build, place)}
  ${
    boxes.length === 0
      ? ''
      : html`<details class="boxes">
          <summary>${boxes.length} overfull or underfull ${boxes.length === 1 ? 'box' : 'boxes'}</summary>
          ${listOf(
            boxes.map((box) => ({ problem: box, followers: [] })),
            build,
            place,
          )}
        </details>`
  }`
}

/** A problem, and the errors caused by it. */
interface ListedProblem {
  readonly problem: BuildProblem
  readonly followers: readonly BuildProblem[]
}

function listOf(problems: readonly ListedProblem[], build: Build, place: ProblemPlace): Html {
  return html`<ol class="problems">
      ${problems.slice(0, MAX_LISTED).map((listed) => problemItem(listed, build, place))}
    </ol>
    ${problems.length > MAX_LISTED ? html`<p class="quiet">${problems.length - MAX_LISTED} more are in the log.</p>` : ''}`
}

function problemItem({ problem, followers }: ListedProblem, build: Build, place: ProblemPlace): Html {
  const isError = problem.type === 'error'
  const context = isError ? problem.context : null
  return html`<li class="problem problem-${problem.type}">
    <p>
      <span class="sign" aria-hidden="true">${symbol(isError ? '✕' : '⚠')}</span>
      <span class="visually-hidden">${isError ? 'Error' : 'Warning'}: </span>
      ${sourceLink(problem, build, place)} <span class="message">${problem.summary ?? problem.message}</span>
      ${remedyText(problem)} ${editLink(problem, place)} ${pdfLink(problem, place)} ${explanationLink(problem)}
    </p>
    ${
      context === null && problem.summary === undefined
        ? ''
        : html`<details>
            <summary>TeX output</summary>
            <pre tabindex="0">${[problem.message, context].filter((part) => part !== null).join('\n')}</pre>
          </details>`
    }
    ${followers.length === 0 ? '' : followerList(followers, build, place)}
  </li>`
}

/** Errors that disappear once their cause is fixed. */
function followerList(followers: readonly BuildProblem[], build: Build, place: ProblemPlace): Html {
  return html`<details>
    <summary>
      ${countOf(followers.length, 'error')} that ${followers.length === 1 ? 'follows' : 'follow'} from it
    </summary>
    ${listOf(
      followers.map((problem) => ({ problem, followers: [] })),
      build,
      place,
    )}
  </details>`
}

function sourceLink({ file, line }: BuildProblem, { commitId }: Build, { repository }: ProblemPlace): Html | '' {
  if (file === null) return ''
  return line === null
    ? html`<a class="place" href="${repositoryPath(repository)}/blob/${commitId}/${encodePath(file)}"
        >${breakable(file)}</a
      >`
    : html`<a class="place" href="${lineHref(repository, commitId, { path: file, line })}"
        >${breakable(`${file}:${line}`)}</a
      >`
}

function editLink({ file, line }: BuildProblem, { editHref }: ProblemPlace): Html | '' {
  if (file === null || line === null || editHref === null) return ''
  return html`<a class="edit-line" href="${editHref({ path: file, line })}">Edit this line</a>`
}

function pdfLink({ file, line }: BuildProblem, { repository, pdfRef }: ProblemPlace): Html | '' {
  if (file === null || line === null || pdfRef === null || !/\.(?:tex|ltx)$/i.test(file)) return ''
  const query = new URLSearchParams({ path: file, line: String(line) })
  const href = `${repositoryPath(repository)}/synctex/${encodePath(pdfRef)}?${query}`
  return html`<a class="in-pdf" href="${href}">Show in PDF</a>`
}
