import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Parsers, TaskOutcome } from '../../base/open-parsers.ts'
import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask } from '../../base/thread-task.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { fileHead } from '../shell/repository/file-header.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { findLanguage } from '../content/source/find-language.ts'
import { MAX_HIGHLIGHTED_BYTES } from '../content/source/find-source-part.ts'
import type { BlameSource, renderBlame } from './render-blame.ts'
import { fileKind, hasLines } from '../content/file-kind.ts'
import { findViewedFile } from '../shell/repository/find-viewed-file.ts'
import { repositoryTitle } from '../shell/repository/resolve-ref.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'

/** Maximum size of the file: one line can have megabytes. */
const MAX_SHOWN_BYTES = 1024 * 1024

const RENDER = defineTask<typeof renderBlame>(import.meta.resolve('./render-blame.ts'), 'renderBlame')

const tables = createOutcomeCache<string | null>({ maxSize: 16 * 1024 * 1024, sizeOf: (table) => table?.length ?? 0 })

/** `/{owner}/{repo}/blame/{ref}/{path}`: author, date and commit of each line, with a link to the version before. */
export async function showBlame(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const { ref, path, file } = await findViewedFile(c, deps, repository)
  if (file.kind !== 'file' && file.kind !== 'executable')
    throw new NotFound(`${path || 'The root folder'} is not a file with lines.`)
  const main = html`${await fileHead(c, deps, { repository, ref, path, page: 'blame' })}
  ${await blameOf(deps, { repository, path, commitId: ref.commitId, objectId: file.objectId })}`
  const title = `Blame of ${path} · ${repositoryTitle(repository, ref)}`
  return sendPage(c, { title, main, isWide: true, scripts: ['code-lines'] })
}

async function blameOf({ git, parsers }: Pick<Deps, 'git' | 'parsers'>, file: BlamedFile): Promise<Html> {
  const { repository, path, commitId, objectId } = file
  const bytes = await git.readBlob(repository.id, objectId, { maxBytes: MAX_SHOWN_BYTES })
  if (bytes === null) return html`<p class="notice">This file is too large to show here.</p>`
  if (!hasLines(path, fileKind(path, bytes))) return html`<p class="notice">Binary files have no blame view.</p>`
  const blame = await git.readBlame(repository.id, { commitId, path })
  if (blame.kind === 'missing' && path.includes('\uFFFD'))
    return html`<p class="notice">
      Blame is not available, because the name of this file is not valid UTF-8. Clone the repository and run git blame.
    </p>`
  if (blame.kind !== 'text')
    return html`<p class="notice">
      Reading the history of this file timed out. Clone the repository and run git blame.
    </p>`
  const language = bytes.byteLength > MAX_HIGHLIGHTED_BYTES ? null : findLanguage(path)
  const highlighted = await findTable(parsers, file, { bytes: blame.bytes, language })
  const table =
    highlighted.kind === 'done' ? highlighted : await findTable(parsers, file, { bytes: blame.bytes, language: null })
  if (table.kind !== 'done')
    return html`<p class="notice">
      Blame is not available: the server is too busy, or the file takes too long to read. Clone the repository and run
      git blame.
    </p>`
  // Safe to insert: made by templates that escape every value.
  return table.value === null ? html`<p class="quiet">This file is empty.</p>` : html`${raw(table.value)}`
}

interface BlamedFile {
  readonly repository: Repository
  readonly path: string
  readonly objectId: string
  readonly commitId: string
}

/** Ages of lines are shown in minutes. */
function findTable(
  parsers: Parsers,
  { repository, path, commitId }: BlamedFile,
  { bytes, language }: Pick<BlameSource, 'bytes' | 'language'>,
): Promise<TaskOutcome<string | null>> {
  const home = repositoryPath(repository)
  const minute = Math.floor(Date.now() / 60_000)
  return tables.find(JSON.stringify([home, commitId, path, language, minute]), () =>
    parsers.run(RENDER, { bytes, language, home }, { ownerId: repository.owner.id }),
  )
}
