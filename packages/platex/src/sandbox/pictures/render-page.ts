import { writeFile } from 'node:fs/promises'

import type { Sandbox } from '../types.ts'

/** Which page of a PDF to draw, and how large. */
export interface PageRequest {
  readonly pdf: Uint8Array
  /** 1 = the first. */
  readonly page: number
  readonly widthPx: number
  /** Wall-clock milliseconds. @default 15000 */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const PDF_NAME = 'paper.pdf'
const PICTURE_STEM = 'page'
const DEFAULT_TIMEOUT_MS = 15_000
const MAX_PICTURE_BYTES = 16 * 1024 * 1024

/**
 * Draws one page of a PDF as PNG with `pdftoppm`, in the sandbox: a PDF is as much the document's work as its source.
 *
 * Null when poppler is not installed, the page does not exist or the drawing does not end in time.
 */
export async function renderPage(sandbox: Sandbox, request: PageRequest): Promise<Uint8Array | null> {
  if (!sandbox.has('pdftoppm')) return null
  const { pdf, page, widthPx, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = request
  const workspaceDir = await sandbox.createWorkspace({ bytes: pdf.length, entries: 1 })
  try {
    await writeFile(`${workspaceDir}/${PDF_NAME}`, pdf, { flag: 'wx' })
    const number = String(page)
    const size = ['-scale-to-x', String(widthPx), '-scale-to-y', '-1']
    const args = ['-png', '-singlefile', '-f', number, '-l', number, ...size, PDF_NAME, PICTURE_STEM]
    const { end } = await sandbox.run({ program: 'pdftoppm', args }, { workspaceDir, timeoutMs, signal })
    // Who is ended while writing leaves a torn picture behind.
    if (end.kind !== 'exited' || end.exitCode !== 0) return null
    return await sandbox.readResult(workspaceDir, `${PICTURE_STEM}.png`, MAX_PICTURE_BYTES)
  } finally {
    await sandbox.removeWorkspace(workspaceDir)
  }
}
