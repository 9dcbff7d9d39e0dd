/** Finds which page of one PDF is beside which page of the other. */

/** Two pages side by side, 0 = the first; null = the other PDF has no such page. */
export interface PagePair {
  readonly old: number | null
  readonly new: number | null
}

/** A page of each PDF, and how many words they share. */
export interface SharedPage {
  readonly old: number
  readonly new: number
  readonly words: number
}

/** Beyond this product of page numbers, pages are paired by their numbers. */
const MAX_CELLS = 4_000_000

/** Pairs the pages in order, so that as many shared words as possible are side by side. */
export function alignPages(
  counts: { readonly old: number; readonly new: number },
  shared: readonly SharedPage[],
): readonly PagePair[] {
  if (counts.old * counts.new > MAX_CELLS) return fillGap({ old: 0, new: 0 }, counts)
  const pairs: PagePair[] = []
  let last = { old: 0, new: 0 }
  for (const pair of findBestPairs(counts, shared)) {
    pairs.push(...fillGap(last, pair), pair)
    last = { old: pair.old + 1, new: pair.new + 1 }
  }
  return [...pairs, ...fillGap(last, counts)]
}

/** The longest common subsequence, weighted by shared words. */
function findBestPairs(
  counts: { readonly old: number; readonly new: number },
  shared: readonly SharedPage[],
): readonly { readonly old: number; readonly new: number }[] {
  const width = counts.new + 1
  const weights = new Map<number, number>()
  for (const { old, new: young, words } of shared)
    weights.set(old * width + young, (weights.get(old * width + young) ?? 0) + words)
  /** The most words that the pages from `old` and `new` on can share, at `old * width + new`. */
  const best = new Float64Array((counts.old + 1) * width)
  const at = (old: number, young: number): number => best[old * width + young] ?? 0
  const paired = (old: number, young: number): number =>
    at(old + 1, young + 1) + (weights.get(old * width + young) ?? 0)
  for (let old = counts.old - 1; old >= 0; old -= 1)
    for (let young = counts.new - 1; young >= 0; young -= 1)
      best[old * width + young] = Math.max(paired(old, young), at(old + 1, young), at(old, young + 1))
  const pairs: { old: number; new: number }[] = []
  let [old, young] = [0, 0]
  while (old < counts.old && young < counts.new) {
    if (weights.has(old * width + young) && at(old, young) === paired(old, young)) {
      pairs.push({ old, new: young })
      old += 1
      young += 1
    } else if (at(old, young) === at(old + 1, young)) old += 1
    else young += 1
  }
  return pairs
}

/** Pages that share no words, for example with figures: paired in order, the rest alone. */
function fillGap(
  from: { readonly old: number; readonly new: number },
  to: { readonly old: number; readonly new: number },
): readonly PagePair[] {
  const [oldCount, newCount] = [to.old - from.old, to.new - from.new]
  return Array.from({ length: Math.max(oldCount, newCount) }, (_, index) => ({
    old: index < oldCount ? from.old + index : null,
    new: index < newCount ? from.new + index : null,
  }))
}
