import { writeFile } from 'node:fs/promises'

import type { Sandbox } from '../types.ts'

/** A page of a PDF and its size as an image. */
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
 * Draws one page of a PDF as PNG with `pdftoppm`, in the sandbox: a PDF is as untrusted as its source.
 *
 * Null if poppler is not installed, the page does not exist or drawing does not end in time.
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
    // A program killed while writing leaves an incomplete picture.
    if (end.kind !== 'exited' || end.exitCode !== 0) return null
    return await sandbox.readResult(workspaceDir, `${PICTURE_STEM}.png`, MAX_PICTURE_BYTES)
  } finally {
    await sandbox.removeWorkspace(workspaceDir)
  }
}
