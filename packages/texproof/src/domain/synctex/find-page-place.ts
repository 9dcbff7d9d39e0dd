import type { PagePlace, RecordTable, SourceLine, SynctexIndex } from './types.ts'

/** A taller box contains more than a line of text, in points. */
const MAX_LINE_HEIGHT = 40
/** The size of a line of text if its box has none. */
const USUAL = { height: 8, depth: 3 } as const

/**
 * Finds the place of a source line in the PDF: the first box that contains about as many marks of the line as any other.
 * A paragraph on one line is found where it begins, and a line that begins behind the end of another by its own text. For a
 * line without marks, such as a comment or a blank line, the next line with marks is used, else the last one before.
 * Null if the file has no marks.
 */
export function findPagePlace({ inputs, boxes, marks }: SynctexIndex, { path, line }: SourceLine): PagePlace | null {
  const wanted = new Set([...inputs].filter(([, name]) => name === path).map(([input]) => input))
  const nearest = nearestLine([marks, boxes], wanted, line)
  if (nearest === null) return null
  const votes = new Map<number, number>()
  let lone: PagePlace | null = null
  for (let mark = 0; mark < marks.count; mark++) {
    if (marks.line[mark] !== nearest || !wanted.has(marks.input[mark] ?? 0)) continue
    const parent = marks.parent[mark] ?? -1
    if (parent === -1) lone ??= placeOfRow(marks, mark)
    else votes.set(parent, (votes.get(parent) ?? 0) + 1)
  }
  const most = [...votes.values()].reduce((one, other) => Math.max(one, other), 0)
  const best = [...votes].find(([, count]) => count * 2 >= most)?.[0] ?? null
  if (best === null && lone !== null) return lone
  return placeOfRow(boxes, wholeLine(boxes, best ?? firstBox(boxes, wanted, nearest)))
}

function nearestLine(tables: readonly RecordTable[], wanted: ReadonlySet<number>, line: number): number | null {
  let after = Number.POSITIVE_INFINITY
  let before = 0
  for (const table of tables) {
    for (let row = 0; row < table.count; row++) {
      if (!wanted.has(table.input[row] ?? 0)) continue
      const at = table.line[row] ?? 0
      if (at >= line && at < after) after = at
      else if (at < line && at > before) before = at
    }
  }
  if (Number.isFinite(after)) return after
  return before > 0 ? before : null
}

function firstBox(boxes: RecordTable, wanted: ReadonlySet<number>, line: number): number {
  for (let box = 0; box < boxes.count; box++)
    if (boxes.line[box] === line && wanted.has(boxes.input[box] ?? 0)) return box
  return 0
}

/** The outermost enclosing box that is still a line of text: a symbol in a formula selects the formula. */
function wholeLine(boxes: RecordTable, box: number): number {
  let line = box
  for (let around = boxes.parent[box] ?? -1; around !== -1; around = boxes.parent[around] ?? -1)
    if ((boxes.height[around] ?? 0) + (boxes.depth[around] ?? 0) <= MAX_LINE_HEIGHT) line = around
  return line
}

function placeOfRow(table: RecordTable, row: number): PagePlace {
  const [height, depth] = [table.height[row] ?? 0, table.depth[row] ?? 0]
  const isLine = height + depth > 0 && height + depth <= MAX_LINE_HEIGHT
  const above = isLine ? height : USUAL.height
  return {
    page: table.page[row] ?? 1,
    x: table.x[row] ?? 0,
    y: (table.y[row] ?? 0) - above,
    width: table.width[row] ?? 0,
    height: above + (isLine ? depth : USUAL.depth),
  }
}
