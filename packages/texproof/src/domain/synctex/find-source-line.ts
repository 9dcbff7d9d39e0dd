import type { RecordTable, SourceLine, SynctexIndex } from './types.ts'

/** Distance in points at which a point still belongs to a line of text. */
const REACH = 24

/**
 * Finds the source line of a point on a page; null if nothing near it comes from a file that `isSource` accepts.
 *
 * The smallest box around the point is the line of text, and the nearest mark in it determines the source line; one
 * line of text may come from several source lines.
 */
export function findSourceLine(
  { inputs, boxes, marks }: SynctexIndex,
  point: { readonly page: number; readonly x: number; readonly y: number },
  isSource: (path: string) => boolean,
): SourceLine | null {
  const pathOf = readablePaths(inputs, isSource)
  const distanceOf = new Map<number, number>()
  for (let box = 0; box < boxes.count; box++) {
    if (boxes.page[box] !== point.page) continue
    const distance = distanceToBox(boxes, box, point)
    if (distance <= REACH) distanceOf.set(box, distance)
  }
  const nearest = nearestMark(marks, { point, distanceOf, pathOf, boxes })
  return nearest ?? nearestBox(boxes, { distanceOf, pathOf })
}

function readablePaths(
  inputs: ReadonlyMap<number, string>,
  isSource: (path: string) => boolean,
): ReadonlyMap<number, string> {
  return new Map([...inputs].filter(([, path]) => isSource(path)))
}

interface Search {
  readonly distanceOf: ReadonlyMap<number, number>
  readonly pathOf: ReadonlyMap<number, string>
}

/** The mark in the nearest box; within a box, the mark nearest to the point. */
function nearestMark(
  marks: RecordTable,
  {
    point,
    distanceOf,
    pathOf,
    boxes,
  }: Search & { readonly point: { readonly x: number }; readonly boxes: RecordTable },
): SourceLine | null {
  let best: { readonly cost: number; readonly found: SourceLine } | null = null
  for (let mark = 0; mark < marks.count; mark++) {
    const parent = marks.parent[mark] ?? -1
    const distance = distanceOf.get(parent)
    const path = pathOf.get(marks.input[mark] ?? 0)
    const line = marks.line[mark] ?? 0
    if (distance === undefined || path === undefined || line < 1) continue
    // A mark next to the point must not lose to a mark of an enclosing paragraph, so tall boxes cost more.
    const cost = distance * 100 + heightOf(boxes, parent) * 10 + Math.abs((marks.x[mark] ?? 0) - point.x)
    if (best === null || cost < best.cost) best = { cost, found: { path, line } }
  }
  return best?.found ?? null
}

function nearestBox(boxes: RecordTable, { distanceOf, pathOf }: Search): SourceLine | null {
  let best: { readonly cost: number; readonly found: SourceLine } | null = null
  for (const [box, distance] of distanceOf) {
    const path = pathOf.get(boxes.input[box] ?? 0)
    const line = boxes.line[box] ?? 0
    const cost = distance * 100 + heightOf(boxes, box)
    if (path !== undefined && line >= 1 && (best === null || cost < best.cost)) best = { cost, found: { path, line } }
  }
  return best?.found ?? null
}

function heightOf(boxes: RecordTable, box: number): number {
  return (boxes.height[box] ?? 0) + (boxes.depth[box] ?? 0)
}

/** 0 inside the box. */
function distanceToBox(boxes: RecordTable, box: number, { x, y }: { readonly x: number; readonly y: number }): number {
  const left = boxes.x[box] ?? 0
  const base = boxes.y[box] ?? 0
  const right = left + (boxes.width[box] ?? 0)
  const top = base - (boxes.height[box] ?? 0)
  const bottom = base + (boxes.depth[box] ?? 0)
  return Math.max(left - x, x - right, top - y, y - bottom, 0)
}
