import { hasToken } from './find-written.ts'
import { squeeze, squeezeLines } from '../squeeze.ts'
import type { Fault, Place } from './places.ts'
import type { SourceTexts } from '../source-texts.ts'

const maxLinesBack = 400
const tailLengths: readonly number[] = [60, 40, 25, 15, 8]

/**
 * The line inside an argument or an environment that TeX read as a whole: `align`, a beamer frame, a long footnote.
 * TeX reports the line of its end, and shows the text it had reached, which is looked up backwards from there.
 */
export function findInBody({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  const { inner } = error
  if (inner === null || line === null || !sources.has(file)) return null
  if (isDefinedByUser(sources, inner.name)) return null
  const before = squeeze(inner.before)
  const token = /\\[A-Za-z@]+$/.exec(before)?.[0] ?? ''
  const lines = sources.code(file)
  if (token !== '' && hasToken(lines[line - 1] ?? '', token)) return null
  const { text, lineAt } = squeezeLines(lines, Math.max(1, line - maxLinesBack), line)
  for (const length of tailLengths) {
    const tail = before.slice(-length)
    if (tail.length < Math.min(length, 4)) continue
    const index = text.lastIndexOf(tail)
    if (index >= 0) return { file, line: lineAt(index + tail.length - 1) }
  }
  return findToken(lines, line, token, file)
}

/** A macro defined in the document: the error is where it is used, on the line that TeX reports. */
function isDefinedByUser(sources: SourceTexts, name: string): boolean {
  if (!/^\\[A-Za-z]+$/.test(name)) return false
  const definition = new RegExp(
    `\\\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|def|gdef|edef|NewDocumentCommand|DeclareRobustCommand|newenvironment)\\*?\\s*\\{?\\${name}(?![A-Za-z])`,
  )
  return sources.files.some((file) => sources.code(file).some((line) => line.includes(name) && definition.test(line)))
}

function findToken(lines: readonly string[], line: number, token: string, file: string): Place | null {
  if (token === '') return null
  const found = lines.slice(0, line).findLastIndex((text) => hasToken(text, token))
  return found < 0 || line - found > maxLinesBack ? null : { file, line: found + 1 }
}
