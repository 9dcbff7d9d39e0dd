/** The nearest name at most two edits away, or one from a short `name`; null if there is none: a wrong hint is worse than none. */
export function closestName(name: string, candidates: readonly string[]): string | null {
  const maxDistance = name.length < 4 ? 1 : 2
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= maxDistance)
    .toSorted((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate ?? null
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...to].entries()) {
      const substituted = (previous[column] ?? 0) + (character === other ? 0 : 1)
      current.push(Math.min(substituted, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous.at(-1) ?? 0
}
