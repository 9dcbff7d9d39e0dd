/**
 * Branches in order, without an object for each.
 *
 * A repository may have 100,000 branches and a page shows 30. So the packed ones stay what they are, the bytes of one
 * file, with the offset of each line; and refs that moved since are laid over them as a list of segments. Only what is
 * asked for becomes strings. As objects the same branches would take five times the memory and the time to read them.
 */
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { Ref } from '../types.ts'

/** Refs ascending by the UTF-8 bytes of the name. */
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

/** The refs from `start` up to `end`, as far as there are any. */
export function sliceRefs(list: RefList, start: number, end: number): readonly Ref[] {
  const length = Math.max(0, Math.min(end, list.length) - start)
  return Array.from({ length }, (_, index) => list.at(start + index))
}

/** The ref of a name, or null. */
export function findRef(list: RefList, name: string): Ref | null {
  const index = lowerBound(list, name)
  const ref = index < list.length ? list.at(index) : null
  return ref?.name === name ? ref : null
}

/** Lays refs over a list: one of the same name takes the place of the other, one of a new name goes between. */
export function overlayRefs(base: RefList, over: ReadonlyMap<string, string>): RefList {
  if (over.size === 0) return base
  const refs = [...over].map(([name, commitId]) => ({ name, commitId }))
  refs.sort((left, right) => compareUtf8(left.name, right.name))
  // Segment k is what the base has before ref k, then ref k itself; one more segment holds the rest of the base.
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
