import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'

import type { Context } from 'hono'

import type { Build } from '../../../domain/build.ts'
import type { Repository } from '../../../domain/types.ts'
import type { Paper, PdfStatus, StoredFile } from '../../../papers/types.ts'
import type { ResolvedRef } from '../repository/resolve-ref.ts'
import { contentDisposition } from './file-headers.ts'
import { isUnmodified, parseRange } from './file-headers.ts'
import { PDF_POLICY } from './security-headers.ts'

/** A PDF and how to send it. */
export interface SentPdf {
  readonly file: StoredFile
  readonly build: Build
  readonly status: PdfStatus
  /** Number of the newest build of the same document, whether or not it made this PDF. */
  readonly newestNumber: number
  /** Name for downloads. */
  readonly fileName: string
  readonly cacheControl: string
}

/** Sends a PDF, or the requested range; 304 if the browser has it. */
export function sendPdf(c: Context, { file, build, status, newestNumber, fileName, cacheControl }: SentPdf): Response {
  const etag = `"${build.pdfId}"`
  const modifiedAt = build.finishedAt ?? build.createdAt
  const headers: Record<string, string> = {
    etag,
    'accept-ranges': 'bytes',
    'last-modified': new Date(modifiedAt).toUTCString(),
    'cache-control': cacheControl,
    'content-type': 'application/pdf',
    'content-disposition': contentDisposition('inline', fileName),
    'content-security-policy': PDF_POLICY,
    'x-texproof-commit': build.commitId,
    'x-texproof-state': status,
    'x-texproof-build': String(newestNumber),
  }
  if (isUnmodified((name) => c.req.header(name), { etag, modifiedAt })) return c.body(null, 304, headers)
  const range =
    c.req.header('if-range') === undefined || c.req.header('if-range') === etag
      ? parseRange(c.req.header('range'), file.sizeBytes)
      : null
  if (range === 'unsatisfiable') return c.body(null, 416, { ...headers, 'content-range': `bytes */${file.sizeBytes}` })
  const { start, end } = range ?? { start: 0, end: file.sizeBytes - 1 }
  headers['content-length'] = String(end - start + 1)
  if (range !== null) headers['content-range'] = `bytes ${start}-${end}/${file.sizeBytes}`
  const code = range === null ? 200 : 206
  // An unread stream would keep its file open.
  if (c.req.raw.method === 'HEAD') return c.body(null, code, headers)
  return c.body(Readable.toWeb(createReadStream(file.path, { start, end })), code, headers)
}

/** `tides-main.pdf`; the document's own name if the tree contains several. */
export function pdfFileName(repository: Repository, ref: ResolvedRef, { documents, document }: Paper): string {
  const title = documents.length > 1 ? `${repository.name}-${document}` : repository.name
  const version = ref.kind === 'commit' ? ref.commitId.slice(0, 10) : ref.name.replaceAll('/', '-')
  return `${title}-${version}.pdf`
}
