/**
 * Sorted branches, without an object for each.
 *
 * A repository may have 100,000 branches, of which a page shows 30. Packed branches therefore stay the bytes of one
 * file, with the offset of each line, and refs that moved since are overlaid as a list of segments. Strings are created
 * only for requested refs. Objects would take five times the memory and the time to read.
 */
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { Ref } from '../types.ts'

/** Refs sorted by the UTF-8 bytes of the name. */
export interface RefList {
  readonly length: number
  /** The ref at an index from 0 to `length - 1`. */
  at(index: number): Ref
}

/** An empty list. */
export const noRefs: RefList = {
  length: 0,
  at(index) {
    throw new RangeError(`no ref ${index}`)
  },
}

/** The existing refs from `start` up to `end`. */
export function sliceRefs(list: RefList, start: number, end: number): readonly Ref[] {
  const length = Math.max(0, Math.min(end, list.length) - start)
  return Array.from({ length }, (_, index) => list.at(start + index))
}

/** The ref with a name, or null. */
export function findRef(list: RefList, name: string): Ref | null {
  const index = lowerBound(list, name)
  const ref = index < list.length ? list.at(index) : null
  return ref?.name === name ? ref : null
}

/** Overlays a list with refs: refs with the same name are replaced, others are inserted. */
export function overlayRefs(base: RefList, over: ReadonlyMap<string, string>): RefList {
  if (over.size === 0) return base
  const refs = [...over].map(([name, commitId]) => ({ name, commitId }))
  refs.sort((left, right) => compareUtf8(left.name, right.name))
  // Segment k is the part of the base before ref k, followed by ref k; the last segment is the rest of the base.
  const segments: { readonly start: number; readonly baseStart: number; readonly ref: Ref | null }[] = []
  let baseStart = 0
  let start = 0
  for (const ref of refs) {
    const index = lowerBound(base, ref.name)
    segments.push({ start, baseStart, ref })
    start += index - baseStart + 1
    baseStart = index < base.length && base.at(index).name === ref.name ? index + 1 : index
  }
  segments.push({ start, baseStart, ref: null })
  const length = start + base.length - baseStart
  return {
    length,
    at(index) {
      const number = lastAtMost(segments, index)
      const segment = segments[number]
      const next = segments[number + 1]
      if (segment === undefined || index >= length) throw new RangeError(`no ref ${index}`)
      const isRef = next !== undefined && index === next.start - 1 && segment.ref !== null
      return isRef && segment.ref !== null ? segment.ref : base.at(segment.baseStart + index - segment.start)
    },
  }
}

/** The index of the first ref whose name is not before this one. */
function lowerBound(list: RefList, name: string): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareUtf8(list.at(middle).name, name) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The number of the last segment that starts at or before an index. */
function lastAtMost(segments: readonly { readonly start: number }[], index: number): number {
  let low = 0
  let high = segments.length
  while (low + 1 < high) {
    const middle = (low + high) >>> 1
    if ((segments[middle]?.start ?? 0) <= index) low = middle
    else high = middle
  }
  return low
}
