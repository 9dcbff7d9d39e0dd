/**
 * SyncTeX: from a position on a page to its source line, and from a line to its position. One address for both: scripts
 * get JSON, browsers a redirect, so plain links work without script.
 */
import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import type { Build } from '../../domain/build.ts'
import { normalizeInputPath } from '../../domain/synctex/normalize-input-path.ts'
import type { PagePlace } from '../../domain/synctex/types.ts'
import { pdfPath } from '../../domain/page-urls.ts'
import { lineHref } from '../content/line-href.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository, type ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

/** Maximum number of documents of a tree that are searched for a line. */
const MAX_SEARCHED = 24

/** `/{owner}/{repo}/synctex/{ref}?page=&x=&y=` redirects to the source, `?path=&line=` to the page. */
export async function showSynctex(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const name = c.req.param('rest') ?? ''
  const ref = await resolveRef(deps.git, repository.id, name)
  if (ref === null) throw new NotFound(`Branch, tag or commit ${name} not found.`)
  const document = c.req.query('doc') ?? null
  const path = c.req.query('path')
  if (path === undefined && c.req.query('page') === undefined)
    return c.redirect(pdfPath(repository, ref.name, document), 303)
  return path === undefined
    ? leadToSource(c, deps, { repository, ref, document })
    : leadToPage(c, deps, { repository, ref, document, path })
}

interface SynctexView {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  readonly document: string | null
}

async function leadToSource(c: Context, deps: Deps, view: SynctexView): Promise<Response> {
  const { repository } = view
  const paper = await findRefPaper(deps, repository.id, view)
  const build = paper?.shown?.build ?? null
  const index = build === null ? null : await deps.papers.findSynctex(build, { ownerId: repository.owner.id })
  if (build === null || index === null)
    return answerNothing(c, 'The SyncTeX data of this PDF is not stored. The next build stores it again.')
  const point = { page: readNumber(c, 'page'), x: readNumber(c, 'x'), y: readNumber(c, 'y') }
  const files = new Set(index.inputs.map(normalizeInputPath))
  const own = await keepFilesOfTree(deps, { repository, build, paths: [...files] })
  const found = await index.findSourceLine(point, own)
  if (found === null) return answerNowhere(c, 'This text has no source line: LaTeX generated it.')
  const path = normalizeInputPath(found.path)
  const href = lineHref(repository, build.commitId, { path, line: found.line })
  return wantsJson(c) ? c.json({ path, line: found.line, commit: build.commitId, href }) : c.redirect(href, 303)
}

/** Keeps the files of the repository: generated files and files of TeX itself are not sources. */
async function keepFilesOfTree(
  { git }: Deps,
  place: { readonly repository: ViewedRepository; readonly build: Build; readonly paths: readonly string[] },
): Promise<ReadonlySet<string>> {
  const relative = place.paths.filter((path) => !path.startsWith('/') && !path.startsWith('../'))
  const found = await Promise.all(
    relative.map(async (path) => {
      const file = await findFile(git, place.repository.id, { commitId: place.build.commitId, path })
      return file === null ? [] : [path]
    }),
  )
  return new Set(found.flat())
}

async function leadToPage(c: Context, deps: Deps, view: SynctexView & { readonly path: string }): Promise<Response> {
  const { repository, ref } = view
  const line = readNumber(c, 'line')
  const found = await findPlace(deps, view, line)
  if (found === null) return answerNowhere(c, `Line ${line} of ${view.path} does not appear in a PDF of ${ref.name}.`)
  const { build, place, document } = found
  const href = `${pdfPath(repository, ref.name, document)}#${describePlace(place)}`
  return wantsJson(c) ? c.json({ ...place, commit: build.commitId, href }) : c.redirect(href, 303)
}

/** Finds a place in the requested document, otherwise in the first one that contains the file. */
async function findPlace(
  deps: Deps,
  { repository, ref, document, path }: SynctexView & { readonly path: string },
  line: number,
): Promise<{ readonly build: Build; readonly place: PagePlace; readonly document: string | null } | null> {
  const paper = await findRefPaper(deps, repository.id, { ref, document })
  const others = document === null ? (paper?.documents ?? []) : []
  const names = [paper?.document ?? document, ...others.map((build) => build.document)]
  for (const name of [...new Set(names)].slice(0, MAX_SEARCHED)) {
    const build = (await findRefPaper(deps, repository.id, { ref, document: name }))?.shown?.build ?? null
    const index = build === null ? null : await deps.papers.findSynctex(build, { ownerId: repository.owner.id })
    const spelled = index === null ? undefined : index.inputs.find((input) => normalizeInputPath(input) === path)
    const place = index === null || spelled === undefined ? null : await index.findPagePlace({ path: spelled, line })
    if (build !== null && place !== null)
      return { build, place, document: paper !== null && paper.documents.length > 1 ? name : null }
  }
  return null
}

/** Status 200 for scripts: the viewer shows the message, and the browser logs no failed request. */
function answerNowhere(c: Context, message: string): Response {
  if (wantsJson(c)) return c.json({ href: null, message })
  throw new NotFound(message)
}

function describePlace({ page, x, y, width, height }: PagePlace): string {
  const [left, top, across, down] = [x, y, width, height].map((length) => length.toFixed(1))
  return `page=${page}&x=${left}&y=${top}&width=${across}&height=${down}`
}

function readNumber(c: Context, name: string): number {
  const value = Number(c.req.query(name) ?? '')
  if (c.req.query(name) === undefined || !Number.isFinite(value) || Math.abs(value) > 1e7)
    throw new NotFound(`The parameter "${name}" must be a number.`)
  return value
}

function wantsJson(c: Context): boolean {
  return c.req.header('accept')?.includes('application/json') ?? false
}

function answerNothing(c: Context, message: string): Response {
  if (wantsJson(c)) return c.json({ message }, 404)
  throw new NotFound(message)
}
