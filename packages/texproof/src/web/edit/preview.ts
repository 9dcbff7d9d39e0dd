/** The preview of a document with the drafts of its branch, for the script of the editor. */
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

import type { Deps } from '../../operations/deps.ts'
import { draftPlace, readDraftsOfBranch } from '../../operations/edit/drafts.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import type { BuildProblem } from '../../domain/build.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { NotFound } from '../session/errors.ts'
import { readField } from '../session/form.ts'
import { PDF_POLICY } from '../shell/response/security-headers.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { SentUpdates } from '../../live/rooms.ts'
import type { DraftKey } from '../../store/repositories/drafts.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findEditLocation } from './find-edit-location.ts'
import { notesAbove } from './editor/notes-above.ts'
import { toLineProblems } from './source-fields.ts'

/** After this time, the page opens another connection and requests another preview. */
const STORED_WITHIN_MS = 15_000
/** A larger PDF takes longer to encode than another request. */
const MAX_SENT_BYTES = 1024 * 1024

/**
 * `POST /{owner}/{repo}/preview/{branch}/{path}` compiles the branch with all its drafts, and streams events:
 * `page` with the edited page if it is ready first, then `compiled`, `cancelled` or `refused`. A newer request for
 * the same document cancels the older one, unless it is the same. `clientId` and `count` name messages of a live connection that
 * are stored first. The problems and the notes are of the file, the first error is of any file. Events have the
 * address of the PDF, and its bytes in base64 if they are few: another request would take as long as a short compile.
 */
export async function postPreview(c: Context, deps: Deps): Promise<Response> {
  const { repository, caller, branch, headId, path } = await findEditLocation(c, deps)
  if (!deps.config.isPreviewEnabled || headId === null) throw new NotFound()
  const document = readField(c, 'doc')
  const paper = await findRefPaper(deps, repository.id, {
    ref: { kind: 'branch', name: branch, commitId: headId },
    document: document === '' ? null : document,
  })
  if (paper === null) throw new NotFound('The branch has no document.')
  const userId = caller.user.id
  const key = { repositoryId: repository.id, branch, path }
  const sent = readSent(c, userId)
  if (sent !== null) await whenStored(c, deps, { key, sent })
  const drafts = await readDraftsOfBranch(deps, key)
  const line = /^[1-9]\d{0,6}$/.test(readField(c, 'edited')) ? Number(readField(c, 'edited')) : null
  const pdfOf = (previewId: string | null) => {
    if (previewId === null) return { file: null, bytes: null }
    const pdf = deps.papers.findPreview({ userId, repositoryId: repository.id, previewId })
    const bytes = pdf === null || pdf.length > MAX_SENT_BYTES ? null : Buffer.from(pdf).toString('base64')
    return { file: fileOf(repository, previewId), bytes }
  }
  c.header('cache-control', 'no-store')
  return streamSSE(
    c,
    async (stream) => {
      const left = new AbortController()
      stream.onAbort(() => left.abort())
      const write = (event: Readonly<Record<string, unknown>>): Promise<void> =>
        stream.writeSSE({ data: JSON.stringify(event) })
      const outcome = await deps.papers.compilePreview({
        userId,
        ownerId: repository.owner.id,
        build: paper.newest,
        commitId: headId,
        drafts,
        edited: line === null ? null : { file: path, line },
        onPage: ({ previewId, firstPage, editedPage }) =>
          void write({ kind: 'page', ...pdfOf(previewId), firstPage, editedPage }),
        signal: AbortSignal.any([left.signal, c.req.raw.signal]),
      })
      if (outcome.kind !== 'compiled') return write({ ...outcome })
      const { previewId, previousId, changedPages, problems, omittedDrafts } = outcome
      const own = problems.filter(({ file }) => file === path)
      const text = drafts.get(path) ?? (await draftPlace(deps, key).readFile())?.text ?? ''
      const notes = own.map((problem) => ({ ...problem, builds: [] }))
      await write({
        kind: 'compiled',
        ...pdfOf(previewId),
        previousFile: previousId === null ? null : fileOf(repository, previousId),
        changedPages,
        problems: toLineProblems(own),
        notes: String(notesAbove(notes, { text, line: null }, { repository, documentCount: 1 })),
        firstError: await findFirstError(deps, problems, { repositoryId: repository.id, commitId: headId }),
        errorCount: problems.filter(({ type }) => type === 'error').length,
        omittedDrafts,
      })
    },
    async (error, stream) => {
      deps.log.error({ err: error }, 'preview')
      await stream.writeSSE({ data: JSON.stringify({ kind: 'refused', message: 'No preview: internal error.' }) })
    },
  )
}

/** The first error in a file of the commit; null if there is none. */
async function findFirstError(
  { git }: Deps,
  problems: readonly BuildProblem[],
  { repositoryId, commitId }: { readonly repositoryId: number; readonly commitId: string },
): Promise<{ readonly path: string; readonly line: number } | null> {
  for (const { type, file, line } of problems)
    if (type === 'error' && file !== null && line !== null)
      return (await findFile(git, repositoryId, { commitId, path: file })) === null ? null : { path: file, line }
  return null
}

/** The changes that the page has sent over its live connection. */
function readSent(c: Context, userId: string): SentUpdates | null {
  const [clientId, count] = [readField(c, 'clientId'), readField(c, 'count')]
  const areNumbers = /^\d{1,10}$/.test(clientId) && /^\d{1,10}$/.test(count)
  return areNumbers ? { userId, clientId: Number(clientId), count: Number(count) } : null
}

async function whenStored(
  c: Context,
  { rooms }: Deps,
  { key, sent }: { readonly key: DraftKey; readonly sent: SentUpdates },
): Promise<void> {
  const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(STORED_WITHIN_MS)])
  await rooms.whenStored(key, sent, signal)
}

function fileOf(repository: ViewedRepository, previewId: string): string {
  return `${repositoryPath(repository)}/preview/${previewId}.pdf`
}

/** `GET /{owner}/{repo}/preview/{id}.pdf`: the newest preview of a document, for the user who requested it. */
export async function sendPreview(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const [, previewId = ''] = /^([0-9a-f]{64})\.pdf$/.exec(c.req.param('file') ?? '') ?? []
  const pdf = deps.papers.findPreview({ userId: actor.id, repositoryId: repository.id, previewId })
  if (pdf === null) throw new NotFound('This preview was replaced by a newer one.')
  return c.body(new Uint8Array(pdf), 200, {
    'content-type': 'application/pdf',
    'content-security-policy': PDF_POLICY,
    'cache-control': 'private, no-store',
  })
}
