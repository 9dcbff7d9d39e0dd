/**
 * Bytes of a transcript → logical lines of text.
 *
 * The order matters: TeX breaks lines at `max_print_line` counting in its own unit, which is bytes for pdfTeX and
 * LuaTeX and characters for XeTeX, and pdfTeX may cut a UTF-8 character in half. So bytes stay bytes (one Latin-1
 * character each) until broken lines are joined, and only whole lines are decoded.
 */

import { Buffer } from 'node:buffer'
import type { ProjectEngine } from '../base/types.ts'
import { decodeLine } from './decode-line.ts'
import { unwrapLines } from './engine/unwrap-lines.ts'

const mebibyte = 1024 * 1024
const headBytes = 6 * mebibyte
const tailBytes = 2 * mebibyte
/** Joined lines of TeX have some thousand characters at most. Longer ones are data. */
const maxLineLength = 20_000
const headLines = 150_000
const tailLines = 50_000

export interface LogLines {
  readonly lines: readonly string[]
  /** Engine named by the banner; null without a banner. */
  readonly engine: ProjectEngine | null
}

/**
 * Reads a transcript of any size: at most its first 6 MiB and last 2 MiB, which bounds the cost of a document that prints
 * in a loop.
 */
export function readLogLines(log: Uint8Array, engine: ProjectEngine | null): LogLines {
  const raw = cappedLines(capped(log).split('\n')).map(withoutCarriageReturns)
  const spoken = engine ?? engineOfBanner(raw)
  const lines = unwrapLines(raw, spoken)
  return { lines: lines.map((line) => decodeLine(line.slice(0, maxLineLength))), engine: spoken }
}

/** The lines of a tool's transcript, which are not wrapped like TeX's. */
export function readToolLines(log: Uint8Array): readonly string[] {
  return cappedLines(capped(log).split('\n')).map(withoutCarriageReturns).map(decodeLine)
}

function capped(log: Uint8Array): string {
  if (log.byteLength <= headBytes + tailBytes) return latin1(log)
  const head = latin1(log.subarray(0, headBytes))
  const tail = latin1(log.subarray(log.byteLength - tailBytes))
  return `${head.slice(0, head.lastIndexOf('\n') + 1)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function cappedLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= headLines + tailLines) return lines
  return [...lines.slice(0, headLines), ...lines.slice(-tailLines)]
}

function withoutCarriageReturns(line: string): string {
  const bounded = line.length > maxLineLength ? line.slice(0, maxLineLength) : line
  return bounded.includes('\r') ? bounded.replaceAll('\r', '') : bounded
}

function engineOfBanner(lines: readonly string[]): ProjectEngine | null {
  const banner = lines.slice(0, 20).find((line) => line.startsWith('This is '))
  if (banner === undefined) return null
  if (banner.includes('pdfTeX') || banner.includes('e-TeX')) return 'pdflatex'
  if (banner.includes('XeTeX')) return 'xelatex'
  return /Lua(?:HB)?TeX/.test(banner) ? 'lualatex' : null
}
