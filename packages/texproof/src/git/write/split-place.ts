/**
 * git joins conflicts that are close to each other. Users think in paragraphs: if both versions of a place have the
 * same empty line with the same lines around it, it is split into two conflicts.
 */
/** A part of the merged text: merged, or a conflict. Each text is complete lines, or empty. */
export type MergedPart =
  | { readonly kind: 'settled'; readonly text: string }
  | { readonly kind: 'place'; readonly mine: string; readonly theirs: string }

/** Larger conflicts are not split: comparing them line by line would take too long. */
const maxCompared = 250_000

/** Splits a conflict at the paragraphs that both versions share. */
export function splitPlace({
  mine,
  theirs,
}: {
  readonly mine: string
  readonly theirs: string
}): readonly MergedPart[] {
  const [left, right] = [linesOf(mine), linesOf(theirs)]
  if (left.length * right.length > maxCompared) return [{ kind: 'place', mine, theirs }]
  const parts: MergedPart[] = []
  let [atLeft, atRight] = [0, 0]
  const placeUntil = (endLeft: number, endRight: number): void => {
    const part = { mine: left.slice(atLeft, endLeft).join(''), theirs: right.slice(atRight, endRight).join('') }
    if (part.mine !== '' || part.theirs !== '') parts.push({ kind: 'place', ...part })
  }
  for (const run of findRuns(left, right)) {
    const text = left.slice(run.left, run.left + run.length)
    if (!text.some((line) => line.trim() === '')) continue
    placeUntil(run.left, run.right)
    parts.push({ kind: 'settled', text: text.join('') })
    atLeft = run.left + run.length
    atRight = run.right + run.length
  }
  placeUntil(left.length, right.length)
  return parts
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

interface Run {
  readonly left: number
  readonly right: number
  readonly length: number
}

/** The longest common subsequence of two lists of lines, as runs. */
function findRuns(left: readonly string[], right: readonly string[]): readonly Run[] {
  const width = right.length + 1
  const longest = new Uint32Array((left.length + 1) * width)
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const runs: Run[] = []
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] !== right[j]) {
      if (at(i + 1, j) >= at(i, j + 1)) i += 1
      else j += 1
      continue
    }
    const last = runs.at(-1)
    const isLonger = last !== undefined && last.left + last.length === i && last.right + last.length === j
    if (isLonger) runs[runs.length - 1] = { ...last, length: last.length + 1 }
    else runs.push({ left: i, right: j, length: 1 })
    i += 1
    j += 1
  }
  return runs
}
