import { Buffer } from 'node:buffer'
import type { LatexError } from '../../base/types.ts'
import type { Diagnostics } from '../../log/types.ts'
import { latin1 } from '../canonical-digest.ts'

/**
 * The error of a line that does not fit into TeX's buffer. TeX stops at once and says so only on standard error, without
 * the file.
 */
export function explainLongLine(stderr: Uint8Array, openedSources: ReadonlyMap<string, string>): Diagnostics {
  const [, message, size] =
    /^! (Unable to read an entire line---bufsize=(\d{1,9})\.)/m.exec(latin1(stderr.subarray(-4096))) ?? []
  if (message === undefined) return { errors: [], warnings: [] }
  const place = findLongLine(openedSources, Number(size))
  const error: LatexError = { type: 'error', ...place, message, context: null, source: 'latex' }
  return { errors: [error], warnings: [] }
}

/** The first such line stops TeX, so there is one, unless TeX wrote the file itself. */
function findLongLine(sources: ReadonlyMap<string, string>, size: number): Pick<LatexError, 'file' | 'line'> {
  for (const [file, text] of sources) {
    const index = text.split('\n').findIndex((line) => Buffer.byteLength(line) >= size)
    if (index >= 0) return { file, line: index + 1 }
  }
  return { file: null, line: null }
}
