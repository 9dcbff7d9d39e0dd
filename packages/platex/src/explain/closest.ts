/** Longer names are not compared: they are rarely typed by hand, and the cost grows with the square of the length. */
const MAX_LENGTH = 60

/**
 * The only candidate at the smallest edit distance, at most two (one for names of up to seven characters). Of several, the
 * only one with the same letters. Null otherwise: a wrong suggestion is worse than none.
 */
export function closest(name: string, candidates: Iterable<string>): string | null {
  // One edit turns any name of one letter into any other.
  if (name.length < 2 || name.length > MAX_LENGTH) return null
  let best: string | null = null
  let bestDistance = name.length > 7 ? 3 : 2
  let tied: string[] = []
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance + 1) continue
    const distance = editDistance(name, candidate, bestDistance)
    if (distance > bestDistance || (distance === bestDistance && best === null)) continue
    if (distance === bestDistance) tied.push(candidate)
    else [best, bestDistance, tied] = [candidate, distance, [candidate]]
  }
  if (tied.length < 2) return best
  const swapped = tied.filter((candidate) => sortLetters(candidate) === sortLetters(name))
  return swapped.length === 1 ? (swapped[0] ?? null) : null
}

function sortLetters(name: string): string {
  return [...name].toSorted().join('')
}

/** Edit distance of two texts; swapping neighbors is one edit. Distances above `limit` are returned as `limit + 1`. */
function editDistance(from: string, to: string, limit: number): number {
  let before: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          isSwap && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    if (Math.min(...current) > limit) return limit + 1
    before = previous
    previous = current
  }
  return previous.at(-1) ?? 0
}
