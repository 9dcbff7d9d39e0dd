import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { BlamedLine } from '../../git/parse-blame.ts'
import { encodePath, repositoryPath } from '../../papers/addresses.ts'
import { fileHead } from '../components/file-head.ts'
import type { Html } from '../components/html.ts'
import { sendPage } from '../components/page.ts'
import { timeAgo } from '../components/time-ago.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { sourceLines } from '../content/source-lines.ts'
import { findViewedFile } from '../find/find-viewed-file.ts'
import { findViewedRepository } from '../find/find-viewed-repository.ts'
import { NotFound } from '../answer/not-found.ts'

/** Lines shown; the blame of more is read by nobody. */
const MAX_SHOWN_LINES = 5_000
/** As of the file itself: one line can be megabytes. */
const MAX_SHOWN_BYTES = 1024 * 1024

/** `/{owner}/{repo}/blame/{ref}/{path}`: who wrote which line, when and why, and what stood there before. */
export async function showBlame(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const { ref, path, file } = await findViewedFile(c, deps, repository)
  if (file.kind !== 'file' && file.kind !== 'executable') throw new NotFound(`${path} is not a file with lines.`)
  const main = html`${await fileHead(c, deps, { repository, ref, path, page: 'blame' })}
  ${await blameOf(deps, { repository, path, commitId: ref.commitId, objectId: file.objectId })}`
  const title = `Blame of ${path} · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, isWide: true, scripts: ['code-lines'] })
}

async function blameOf({ git }: Pick<Deps, 'git'>, file: BlamedFile & { readonly commitId: string }): Promise<Html> {
  const { repository, path, commitId, objectId } = file
  const bytes = await git.readBlob(repository.id, objectId, { maxBytes: MAX_SHOWN_BYTES })
  if (bytes === null) return html`<p class="notice">This file is too large to show here.</p>`
  const blame = await git.readBlame(repository.id, { commitId, path })
  return blame.kind === 'lines'
    ? blameTable(blame.lines, file)
    : html`<p class="notice">git took too long to tell who wrote this file. Clone the repository and ask there.</p>`
}

interface BlamedFile {
  readonly repository: Repository
  readonly path: string
  readonly objectId: string
}

async function blameTable(lines: readonly BlamedLine[], { repository, path, objectId }: BlamedFile): Promise<Html> {
  if (lines.length === 0) return html`<p class="quiet">This file is empty.</p>`
  const bytes = Buffer.from(lines.map((line) => line.text).join('\n'))
  const shown = await sourceLines(path, { objectId, bytes })
  let at = 0
  const groups = groupByCommit(lines.slice(0, MAX_SHOWN_LINES)).map((group) => {
    const start = at
    at += group.count
    const [first = '', ...others] = shown.slice(start, at).map((line, index) => lineCells(start + index + 1, line))
    const rest = others.map((cells, index) => `<tr id=L${start + index + 2}>${cells}`).join('')
    return html`<tbody>
      <tr id="L${start + 1}">
        ${originCell(group.origin, { repository, rowSpan: group.count })} ${raw(first + rest)}
      </tr>
    </tbody>`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Blame">
      <table class="code source blame">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Commit</th>
            <th scope="col">Line</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        ${groups}
      </table>
    </div>
    ${lines.length > MAX_SHOWN_LINES ? html`<p class="quiet">${lines.length - MAX_SHOWN_LINES} more lines.</p>` : ''}`
}

/** As text, without the ends of the cells, since they stand thousands of times on a page. */
function lineCells(number: number, line: string): string {
  return `<td><a href=#L${number}>${number}</a><td><code>${line === '' ? '\n' : line}</code>`
}

function originCell(
  { commitId, author, at, subject, previous }: BlamedLine,
  { repository, rowSpan }: { readonly repository: Repository; readonly rowSpan: number },
): Html {
  const path = repositoryPath(repository)
  return html`<th scope="rowgroup" rowspan="${rowSpan}">
    <a href="${path}/commit/${commitId}" title="${commitId.slice(0, 7)} by ${author}: ${commitSubject(subject)}"
      >${commitSubject(subject)}</a
    >
    <span class="quiet"
      >${author}, ${timeAgo(at)}
      ${
        previous === null
          ? ''
          : html`<a
              href="${path}/blame/${previous.commitId}/${encodePath(previous.path)}"
              aria-label="Blame before ${commitId.slice(0, 7)}"
              >before</a
            >`
      }</span
    >
  </th>`
}

/** Neighbours that one commit wrote, as one. */
function groupByCommit(
  lines: readonly BlamedLine[],
): readonly { readonly origin: BlamedLine; readonly count: number }[] {
  const groups: { origin: BlamedLine; count: number }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.origin.commitId === line.commitId) last.count += 1
    else groups.push({ origin: line, count: 1 })
  }
  return groups
}
