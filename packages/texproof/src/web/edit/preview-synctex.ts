/**
 * `GET /{owner}/{repo}/preview/{id}/synctex`: SyncTeX of the newest preview of a document, for the user who
 * requested it. With `page`, `x` and `y`, the source line; with `path` and `line`, the place on its page.
 */
import type { Context } from 'hono'

import { normalizeInputPath } from '../../domain/synctex/normalize-input-path.ts'
import type { Deps } from '../../operations/deps.ts'
import { NotFound } from '../session/errors.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'

/** Responds with JSON. The status is 200 even without a result: the viewer shows the message. */
export async function sendPreviewSynctex(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const previewId = c.req.param('id') ?? ''
  const at = { userId: actor.id, repositoryId: repository.id, previewId }
  const found = await deps.papers.findPreviewSynctex(at)
  if (found === null) throw new NotFound('This preview was replaced by a newer one.')
  const { lookup, paths } = found
  c.header('cache-control', 'private, no-store')
  const path = c.req.query('path')
  if (path === undefined) {
    const point = { page: readNumber(c, 'page'), x: readNumber(c, 'x'), y: readNumber(c, 'y') }
    const source = await lookup.findSourceLine(point, paths)
    if (source === null) return c.json({ message: 'This text has no source line: LaTeX generated it.' })
    return c.json({ path: normalizeInputPath(source.path), line: source.line })
  }
  const line = readNumber(c, 'line')
  const spelled = lookup.inputs.find((input) => normalizeInputPath(input) === path)
  const place = spelled === undefined ? null : await lookup.findPagePlace({ path: spelled, line })
  return c.json(place ?? { message: `Line ${line} of ${path} does not appear in the PDF.` })
}

function readNumber(c: Context, name: string): number {
  const text = c.req.query(name) ?? ''
  const value = Number(text)
  if (text === '' || !Number.isFinite(value) || Math.abs(value) > 1e7)
    throw new NotFound(`The parameter "${name}" must be a number.`)
  return value
}
