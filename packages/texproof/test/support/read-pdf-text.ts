import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runProgram } from './programs/run-program.ts'

/** The text of a PDF, with white space collapsed. */
export async function readPdfText(pdf: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-pdf-'))
  try {
    await writeFile(join(folder, 'paper.pdf'), pdf)
    const { stdout } = await runProgram('pdftotext', [join(folder, 'paper.pdf'), '-'])
    return stdout.replaceAll(/\s+/g, ' ')
  } finally {
    await rm(folder, { recursive: true })
  }
}
