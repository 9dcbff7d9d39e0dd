import { squeeze } from '../squeeze.ts'
import type { Fault, Place } from './places.ts'

/**
 * The last line with text before an empty one. TeX reads on past the line of the fault where a command may still have
 * an option or a formula may still close, and reports the empty line that ends the paragraph.
 */
export function findBeforeBlank({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !sources.has(file) || squeeze(error.lineBefore) !== '') return null
  const lines = sources.lines(file)
  if (line > lines.length || squeeze(lines[line - 1] ?? '') !== '') return null
  const found = lines.slice(0, line).findLastIndex((text) => squeeze(text) !== '')
  return found < 0 ? null : { file, line: found + 1 }
}
