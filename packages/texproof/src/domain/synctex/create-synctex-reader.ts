/**
 * Parses the output of `-synctex=1` in chunks of any size. Invalid lines are skipped: the rest of the file stays
 * useful, and the document may have written the file itself.
 *
 * Vertical boxes are ignored: engines disagree about where they begin, and horizontal ones are sufficient.
 */
import { createRecordColumns } from './record-columns.ts'
import type { SynctexIndex } from './types.ts'

/** A parser of one file. */
export interface SynctexReader {
  /** The next chunk, one character per byte. */
  push(text: string): void
  finish(): SynctexIndex
}

/** TeX's scaled points in one PDF point. */
const SCALED_PER_POINT = 65_781.76
/** Longer lines are not valid SyncTeX. */
const MAX_LINE_LENGTH = 8_192
/** Maximum records of one PDF, which take 54 MB; a book of a thousand pages has fewer. */
const MAX_RECORDS = 1_500_000
const MAX_INPUTS = 2_000

interface OpenBox {
  readonly row: number
  readonly input: number
  readonly line: number
}

/** Creates a parser. */
export function createSynctexReader(): SynctexReader {
  const inputs = new Map<number, string>()
  const boxes = createRecordColumns()
  const marks = createRecordColumns()
  /** The stack of open boxes; null = a box that is not stored. */
  const open: (OpenBox | null)[] = []
  const settings = { unit: 1, magnification: 1000, xOffset: 0, yOffset: 0 }
  let isContent = false
  let isForm = false
  let page = 0
  let lastVertical = 0
  let rest = ''

  function readLine(line: string): void {
    if (line.startsWith('Input:')) readInput(line)
    else if (!isContent) readSetting(line)
    else readContent(line)
  }

  function readInput(line: string): void {
    const end = line.indexOf(':', 6)
    const input = Number(line.slice(6, end))
    if (end > 6 && Number.isInteger(input) && inputs.size < MAX_INPUTS)
      inputs.set(input, Buffer.from(line.slice(end + 1), 'latin1').toString('utf8'))
  }

  function readSetting(line: string): void {
    const [name = '', value = ''] = line.split(':', 2)
    if (name === 'Content') isContent = true
    const number = Number(value)
    if (!Number.isFinite(number) || value === '') return
    if (name === 'Unit' && number > 0) settings.unit = number
    if (name === 'Magnification' && number > 0) settings.magnification = number
    if (name === 'X Offset') settings.xOffset = number
    if (name === 'Y Offset') settings.yOffset = number
  }

  function readContent(line: string): void {
    const sign = line[0]
    if (sign === '<' || sign === '>') isForm = sign === '<'
    else if (sign === '{') startPage(line)
    else if (sign === '}') page = 0
    else if (sign === ')' || sign === ']') open.pop()
    else if (page > 0 && !isForm && sign !== undefined && '[(hvkgr$'.includes(sign)) readRecord(sign, line)
  }

  function startPage(line: string): void {
    const number = Number(line.slice(1))
    page = Number.isInteger(number) && number > 0 && number < 1_000_000 ? number : 0
    open.length = 0
  }

  function readRecord(sign: string, line: string): void {
    const record = parseRecord(line, lastVertical)
    // A box that is not stored still has an end.
    if (record === null || boxes.count + marks.count >= MAX_RECORDS) {
      if (sign === '(' || sign === '[') open.push(null)
      return
    }
    lastVertical = record.vertical
    const scale = (settings.unit * settings.magnification) / 1000 / SCALED_PER_POINT
    const offset = settings.unit / SCALED_PER_POINT
    const around = open.findLast((box) => box !== null) ?? null
    const row = {
      page,
      input: record.input,
      line: record.line,
      parent: around?.row ?? -1,
      x: record.horizontal * scale + settings.xOffset * offset,
      y: record.vertical * scale + settings.yOffset * offset,
      width: record.width * scale,
      height: record.height * scale,
      depth: record.depth * scale,
    }
    if (sign === '(') open.push({ row: boxes.add(row), input: row.input, line: row.line })
    else if (sign === '[') open.push(null)
    else if (!isSlip(row, around)) marks.add(row)
  }

  return {
    push(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > MAX_LINE_LENGTH) rest = rest.slice(0, MAX_LINE_LENGTH)
      for (const line of lines) if (line.length <= MAX_LINE_LENGTH) readLine(line)
    },
    finish() {
      if (rest !== '') readLine(rest)
      return { inputs, boxes: boxes.finish(), marks: marks.finish() }
    },
  }
}

/**
 * The contents of a box were read before the box was closed. For some marks, and for all of kind `x`, LuaTeX records
 * the line at which the page was shipped instead; entries of kind `x` are therefore ignored.
 */
function isSlip(mark: { readonly input: number; readonly line: number }, box: OpenBox | null): boolean {
  return box !== null && mark.input === box.input && mark.line > box.line
}

interface ParsedRecord {
  readonly input: number
  readonly line: number
  readonly horizontal: number
  readonly vertical: number
  readonly width: number
  readonly height: number
  readonly depth: number
}

/**
 * Parses `(1,13:4736286,=:22609920,773689,0`: input and line, place, size; `=` repeats the vertical position of the
 * previous record.
 */
function parseRecord(text: string, lastVertical: number): ParsedRecord | null {
  const [source = '', place = '', size = ''] = text.slice(1).split(':', 3)
  const [input = NaN, line = NaN] = source.split(',').map(Number)
  const [horizontal = '', vertical = ''] = place.split(',')
  const [width = 0, height = 0, depth = 0] = size === '' ? [] : size.split(',').map(Number)
  const numbers = [
    input,
    line,
    horizontal === '' ? NaN : Number(horizontal),
    vertical === '=' ? lastVertical : vertical === '' ? NaN : Number(vertical),
    width,
    height,
    depth,
  ]
  if (!numbers.every(isPlausible)) return null
  const [, , h = 0, v = 0] = numbers
  return { input, line, horizontal: h, vertical: v, width, height, depth }
}

/** TeX's lengths are limited to 2^30, its lines and inputs to much less. */
function isPlausible(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) <= 2 ** 31
}
