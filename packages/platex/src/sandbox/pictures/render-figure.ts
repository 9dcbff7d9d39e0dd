/** Renders the figures of papers as PNG, in the sandbox: a figure is as untrusted as a document. */
import { writeFile } from 'node:fs/promises'

import type { RunReport, Sandbox, SandboxRunOptions } from '../types.ts'
import { findMissingConverter } from './convert-picture.ts'
import { explainRun } from './explain-run.ts'

/** Kinds of figures that browsers do not show as images. */
export type FigureKind = 'pdf' | 'eps' | 'tiff'

/** A figure and its size as an image. */
export interface FigureRequest {
  readonly kind: FigureKind
  readonly bytes: Uint8Array
  /** Width or height of the image, whichever is larger. */
  readonly sidePx: number
  /** Wall-clock milliseconds of each program. @default 20000 */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export type FigureOutcome =
  /** The first page, and the number of pages; null if it is unknown. */
  | { readonly kind: 'rendered'; readonly png: Uint8Array; readonly pageCount: number | null }
  /** `reason` is for the author of the figure. */
  | { readonly kind: 'failed'; readonly reason: string }

const PDF_NAME = 'figure.pdf'
const IMAGE_STEM = 'figure'
const DEFAULT_TIMEOUT_MS = 20_000
/** Readers of PDFs search this much for the header. */
const HEADER_BYTES = 1024
const MAX_IMAGE_BYTES = 16 * 1024 * 1024

/** The name of a program that figures of a kind require and this machine lacks; null if all are installed. */
export function findMissingRenderer(kind: FigureKind, { has }: Pick<Sandbox, 'has'>): string | null {
  if (!has('pdftoppm')) return 'pdftoppm (poppler-utils)'
  return kind === 'pdf' ? null : findMissingConverter(kind, { has })
}

/** Renders the first page of a figure: EPS and TIFF by way of PDF. */
export async function renderFigure(sandbox: Sandbox, request: FigureRequest): Promise<FigureOutcome> {
  const { kind, bytes, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = request
  const missing = findMissingRenderer(kind, sandbox)
  if (missing !== null) return { kind: 'failed', reason: `${missing} is not installed` }
  if (kind === 'pdf') return renderFirstPage(sandbox, bytes, request)
  const converted = await sandbox.convertPicture({ kind, bytes, timeoutMs, signal })
  if (converted.kind === 'failed') return { kind: 'failed', reason: converted.reason }
  return renderFirstPage(sandbox, converted.pdf, request)
}

async function renderFirstPage(
  sandbox: Sandbox,
  pdf: Uint8Array,
  { sidePx, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: Omit<FigureRequest, 'kind' | 'bytes'>,
): Promise<FigureOutcome> {
  if (!Buffer.from(pdf.subarray(0, HEADER_BYTES)).includes('%PDF-'))
    return { kind: 'failed', reason: 'it is not a PDF' }
  const workspaceDir = await sandbox.createWorkspace({ bytes: pdf.length, entries: 1 })
  try {
    await writeFile(`${workspaceDir}/${PDF_NAME}`, pdf, { flag: 'wx' })
    // The crop box, which \includegraphics shows, too. Scaling the longer side limits the image in both directions.
    const args = ['-png', '-singlefile', '-f', '1', '-l', '1', '-cropbox', '-scale-to', String(sidePx)]
    const report = await sandbox.run(
      { program: 'pdftoppm', args: [...args, PDF_NAME, IMAGE_STEM] },
      { workspaceDir, timeoutMs, signal },
    )
    const { end } = report
    // A program killed while writing leaves an incomplete image.
    const isComplete = end.kind === 'exited' && end.exitCode === 0
    const png = isComplete ? await sandbox.readResult(workspaceDir, `${IMAGE_STEM}.png`, MAX_IMAGE_BYTES) : null
    if (png === null) return { kind: 'failed', reason: explainFailure(report) }
    return { kind: 'rendered', png, pageCount: await countPages(sandbox, { workspaceDir, timeoutMs, signal }) }
  } finally {
    await sandbox.removeWorkspace(workspaceDir)
  }
}

function explainFailure(report: RunReport): string {
  // Poppler calls it an error of the command line, and the author has given no password.
  const isLocked = new TextDecoder().decode(report.stderr).includes('Incorrect password')
  return isLocked ? 'the PDF is protected by a password' : explainRun('pdftoppm', report)
}

async function countPages(sandbox: Sandbox, options: SandboxRunOptions): Promise<number | null> {
  const { stdout } = await sandbox.run({ program: 'pdfinfo', args: [PDF_NAME] }, options)
  const count = /^Pages:\s+(\d{1,6})$/m.exec(new TextDecoder().decode(stdout))?.[1]
  return count === undefined ? null : Number(count)
}
