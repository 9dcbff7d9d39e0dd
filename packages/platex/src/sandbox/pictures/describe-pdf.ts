/** Describes a PDF with the programs of poppler, in the sandbox: a PDF is as untrusted as its source. */
import { writeFile } from 'node:fs/promises'

import type { Sandbox } from '../types.ts'

/**
 * Properties of a PDF for a preflight check. Properties that a missing program or a damaged PDF does not provide are
 * empty.
 */
export interface PdfDescription {
  /** `1.5`; null if unknown. */
  readonly version: string | null
  /** Author in the metadata; null if there is none. */
  readonly author: string | null
  readonly pages: readonly { readonly widthPt: number; readonly heightPt: number; readonly text: string }[]
  readonly fonts: readonly { readonly name: string; readonly type: string; readonly isEmbedded: boolean }[]
  /** The color space of each pixel image: `rgb`, `gray`, `cmyk`, `icc` … */
  readonly images: readonly string[]
}

const PDF_NAME = 'paper.pdf'
const TIMEOUT_MS = 20_000
const MAX_PAGES = 5_000

/** Describes a PDF. */
export async function describePdf(sandbox: Sandbox, pdf: Uint8Array): Promise<PdfDescription> {
  const workspaceDir = await sandbox.createWorkspace({ bytes: pdf.length, entries: 1 })
  const ask = async (program: string, args: readonly string[]): Promise<string> => {
    if (!sandbox.has(program)) return ''
    const { stdout } = await sandbox.run({ program, args }, { workspaceDir, timeoutMs: TIMEOUT_MS })
    return new TextDecoder().decode(stdout)
  }
  try {
    await writeFile(`${workspaceDir}/${PDF_NAME}`, pdf, { flag: 'wx' })
    const facts = await ask('pdfinfo', ['-f', '1', '-l', String(MAX_PAGES), PDF_NAME])
    const texts = (await ask('pdftotext', ['-enc', 'UTF-8', PDF_NAME, '-'])).split('\f')
    return {
      version: /^PDF version:\s+([\d.]+)/m.exec(facts)?.[1] ?? null,
      author: /^Author:\s+(\S.*)$/m.exec(facts)?.[1] ?? null,
      pages: parsePageSizes(facts).map((size, index) => ({ ...size, text: texts[index] ?? '' })),
      fonts: parseFonts(await ask('pdffonts', [PDF_NAME])),
      images: parseImages(await ask('pdfimages', ['-list', PDF_NAME])),
    }
  } finally {
    await sandbox.removeWorkspace(workspaceDir)
  }
}

function parsePageSizes(facts: string): readonly { readonly widthPt: number; readonly heightPt: number }[] {
  return [...facts.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+) pts/gm)].map(([, width, height]) => {
    return { widthPt: Number(width), heightPt: Number(height) }
  })
}

function parseFonts(table: string): PdfDescription['fonts'] {
  const row =
    /^(.*?)\s+((?:Type 1C?|TrueType|CID Type 0C?|CID TrueType)(?: \(OT\))?|Type 3|unknown)\s+\S+\s+(yes|no)\s+(?:yes|no)\s+(?:yes|no)\s/gm
  return [...table.matchAll(row)].map(([, name = '', type = '', embedded]) => {
    return { name: name.replace(/^[A-Z]{6}\+/, ''), type, isEmbedded: embedded === 'yes' }
  })
}

function parseImages(table: string): readonly string[] {
  return [...table.matchAll(/^\s*\d+\s+\d+\s+image\s+\d+\s+\d+\s+(\S+)/gm)].map(([, color = '']) => color)
}
