/**
 * Joins the lines that TeX broke at `max_print_line`, 79 by default.
 *
 * A line was broken when it is exactly full in the engine's own unit: bytes for pdfTeX; bytes without splitting a
 * character for LuaTeX, one more when Lua prints; UTF-16 units for XeTeX. A full line may also end there by chance, so
 * what follows is joined only when it does not begin a message of its own.
 */

import { Buffer } from 'node:buffer'
import type { ProjectEngine } from '../../base/types.ts'
import {
  isContinuation,
  splitFileLine,
  startsBangError,
  startsContext,
  startsDeclaration,
  startsNotice,
} from './message-starts.ts'

const defaultWidth = 79
/** A longer text in full lines is data, not a message. */
const maxParts = 120
/** Other values of `max_print_line` that people set. */
const customWidths = new Set([100, 120, 160, 200, 254, 500, 512, 1000, 1024, 2000, 2048, 4096, 9999, 10_000])

/** Takes lines that hold one Latin-1 character per byte and gives them back joined, in the same form. */
export function unwrapLines(lines: readonly string[], engine: ProjectEngine | null): readonly string[] {
  const width = findWidth(lines, engine)
  if (width === null) return lines
  const joined: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const parts = [lines[at] ?? '']
    while (
      parts.length < maxParts &&
      goesOn(parts[parts.length - 1] ?? '', lines[at + 1], { engine, width, isFirst: parts.length === 1 })
    ) {
      at += 1
      parts.push(lines[at] ?? '')
    }
    joined.push(parts.length === 1 ? (parts[0] ?? '') : parts.join(''))
  }
  return joined
}

/** The width at which this log was broken, or null when it was not. */
function findWidth(lines: readonly string[], engine: ProjectEngine | null): number | null {
  let full = 0
  let longer = 0
  let longest = 0
  let atLongest = 0
  for (const line of lines) {
    if (line.length < defaultWidth || isPrintedWhole(line)) continue
    const length = widthOf(line, engine)
    if (length === defaultWidth) full += 1
    if (length > defaultWidth + 1) longer += 1
    if (length > longest) atLongest = 0
    longest = Math.max(longest, length)
    if (length === longest) atLongest += 1
  }
  if (longer * 4 <= full) return full === 0 && longest <= defaultWidth ? null : defaultWidth
  return customWidths.has(longest) && atLongest > 1 ? longest : null
}

/** The banner and the closing statistics never break. */
function isPrintedWhole(line: string): boolean {
  return line.startsWith('This is ') || line.includes('stack positions out of ')
}

interface Fit {
  readonly engine: ProjectEngine | null
  readonly width: number
  readonly isFirst: boolean
}

function goesOn(line: string, next: string | undefined, { engine, width, isFirst }: Fit): boolean {
  if (next === undefined || next === '' || line.length < width - 3 || isPrintedWhole(line)) return false
  if (!isFull(line, next, { engine, width })) return false
  if (isFirst && line.startsWith(' ') && line.endsWith('...')) return false // error context cut at `error_line`
  return !startsAnew(next)
}

function isFull(line: string, next: string, { engine, width }: Pick<Fit, 'engine' | 'width'>): boolean {
  const length = widthOf(line, engine)
  if (length === width) return true
  if (engine !== 'lualatex') return false
  return length === width + 1 || (length < width && length + firstCharacterBytes(next) > width)
}

function startsAnew(next: string): boolean {
  if (startsNotice(next) || startsBangError(next) || startsDeclaration(next) || isContinuation(next)) return true
  if (/^(?:l\.\d+ |\(\.?\/)/.test(next) || startsContext(next)) return true
  return next.startsWith('./') && splitFileLine(next) !== null
}

function widthOf(line: string, engine: ProjectEngine | null): number {
  const countsCharacters = engine === 'xelatex' || engine === 'tectonic'
  return countsCharacters ? Buffer.from(line, 'latin1').toString('utf8').length : line.length
}

function firstCharacterBytes(line: string): number {
  const lead = line.charCodeAt(0)
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}
