/**
 * Corrects dates and identifier of a PDF whose engine was started at a different time than the time of the document.
 *
 * pdfTeX and LuaTeX write them uncompressed near the end of the file with a fixed length, so they are replaced in
 * place. Only values derived from the start time of the engine are replaced, not dates set by the document.
 */
import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { CONFINED_WORKSPACE } from '../../sandbox/confined-environment.ts'
import { pdfDate } from '../../engine/waiting-engines.ts'

/** Actual and intended start time of an engine, in seconds since 1970 UTC. */
export interface EngineTimes {
  readonly startedAt: number
  readonly epoch: number
  /** Path of the PDF in the workspace. */
  readonly path: string
}

/**
 * The information dictionary and the trailer follow all pages; the cross-reference table of a large document is between
 * them.
 */
const SEARCHED_BYTES = 4 * 1024 * 1024

export function restoreDates(pdf: Uint8Array, { startedAt, epoch, path }: EngineTimes): Uint8Array {
  if (startedAt === epoch) return pdf
  const restored = Buffer.from(pdf)
  const end = restored.subarray(-SEARCHED_BYTES)
  const before = marksOf(startedAt, path)
  const after = marksOf(epoch, path)
  for (const [index, mark] of before.entries()) replaceAll(end, mark, after[index] ?? mark)
  return restored
}

/** The dates in the form that the engines write, and the identifier derived from date and path. */
function marksOf(epoch: number, path: string): readonly string[] {
  const date = pdfDate(epoch)
  const stamp = new Date(epoch * 1000).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
  const pdftexId = md5(`${date}${posix.basename(path)}`)
  const luatexId = md5(`${stamp}${posix.join(CONFINED_WORKSPACE, path)}`)
  return [`/CreationDate (${date})`, `/ModDate (${date})`, `<${pdftexId}>`, `<${luatexId}>`]
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex').toUpperCase()
}

function replaceAll(bytes: Buffer, from: string, to: string): void {
  for (let at = bytes.lastIndexOf(from); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(from, at - 1)) {
    bytes.write(to, at, 'latin1')
  }
}
