/**
 * Compares the words of two texts. Sequences that occur once in each text divide both into parts, so that the time is
 * proportional to the length of the texts and to the changes within a part, even for a book with a new chapter.
 */
import type { diffArrays } from 'diff'

/** Words that both texts share: `length` of them. */
export interface SharedWords {
  readonly oldFrom: number
  readonly newFrom: number
  readonly length: number
}

/** Consecutive words that were replaced: those from `oldFrom` up to `oldTo` by those from `newFrom` up to `newTo`. */
export interface ReplacedWords {
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
}

export interface MatchedWords {
  readonly shared: readonly SharedWords[]
  readonly replaced: readonly ReplacedWords[]
}

/** A word of the old text that is a word of the new one. */
interface Anchor {
  readonly old: number
  readonly new: number
}

/** Length of the sequences. Shorter ones are rarely unique. */
const SEQUENCE = 4
/** A part with more differences was rewritten: marking single words that both versions happen to share would not help. */
const LIMITS = { maxEditLength: 1_000 }

/** Finds the shared and the replaced words, in order. */
export function matchWords(diff: typeof diffArrays, old: readonly string[], young: readonly string[]): MatchedWords {
  const shared: SharedWords[] = []
  const share = (oldFrom: number, newFrom: number, length: number): void => {
    const last = shared.at(-1)
    const isNext =
      last !== undefined && last.oldFrom + last.length === oldFrom && last.newFrom + last.length === newFrom
    if (isNext) shared[shared.length - 1] = { ...last, length: last.length + length }
    else shared.push({ oldFrom, newFrom, length })
  }
  let [oldAt, newAt] = [0, 0]
  for (const anchor of [...findAnchors(old, young), { old: old.length, new: young.length }]) {
    // The sequence of the anchor before continues.
    while (oldAt < anchor.old && newAt < anchor.new && old[oldAt] === young[newAt]) share(oldAt++, newAt++, 1)
    for (const part of diff(old.slice(oldAt, anchor.old), young.slice(newAt, anchor.new), LIMITS) ?? []) {
      if (!part.added && !part.removed) share(oldAt, newAt, part.count)
      if (!part.added) oldAt += part.count
      if (!part.removed) newAt += part.count
    }
    if (anchor.old < old.length) share(anchor.old, anchor.new, 1)
    ;[oldAt, newAt] = [anchor.old + 1, anchor.new + 1]
  }
  return { shared, replaced: findReplaced(shared, { old: old.length, new: young.length }) }
}

/** What is between the shared words. */
function findReplaced(
  shared: readonly SharedWords[],
  length: { readonly old: number; readonly new: number },
): readonly ReplacedWords[] {
  const ends = [...shared, { oldFrom: length.old, newFrom: length.new, length: 0 }]
  return ends
    .map(({ oldFrom, newFrom }, index) => {
      const before = shared[index - 1] ?? { oldFrom: 0, newFrom: 0, length: 0 }
      return {
        oldFrom: before.oldFrom + before.length,
        oldTo: oldFrom,
        newFrom: before.newFrom + before.length,
        newTo: newFrom,
      }
    })
    .filter(({ oldFrom, oldTo, newFrom, newTo }) => oldFrom < oldTo || newFrom < newTo)
}

/** Sequences that occur once in each text, as many as possible in the same order. */
function findAnchors(old: readonly string[], young: readonly string[]): readonly Anchor[] {
  const places = findUnique(young)
  const anchors = [...findUnique(old)].flatMap(([sequence, at]) => {
    const place = places.get(sequence)
    return place === undefined ? [] : [{ old: at, new: place }]
  })
  return findLongestRise(anchors)
}

/** Where each sequence begins that occurs once, in order. */
function findUnique(words: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  const repeated = new Set<string>()
  for (let at = 0; at + SEQUENCE <= words.length; at += 1) {
    const sequence = words.slice(at, at + SEQUENCE).join(' ')
    if (places.has(sequence)) repeated.add(sequence)
    else places.set(sequence, at)
  }
  for (const sequence of repeated) places.delete(sequence)
  return places
}

/** The longest increasing subsequence, by patience sorting. */
function findLongestRise(anchors: readonly Anchor[]): readonly Anchor[] {
  interface Link {
    readonly anchor: Anchor
    readonly previous: Link | null
  }
  const piles: Link[] = []
  for (const anchor of anchors) {
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((piles[middle]?.anchor.new ?? 0) < anchor.new) low = middle + 1
      else high = middle
    }
    piles[low] = { anchor, previous: piles[low - 1] ?? null }
  }
  const rise: Anchor[] = []
  for (let link = piles.at(-1) ?? null; link !== null; link = link.previous) rise.push(link.anchor)
  return rise.toReversed()
}
