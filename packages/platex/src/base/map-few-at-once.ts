/**
 * Calls `act` for every item, for at most `limit` of them at the same time.
 *
 * Returns the results in the order of the items. Rejects with the first error, and starts no other item after it; those that
 * have started go on.
 */
export async function mapFewAtOnce<T, R>(
  items: readonly T[],
  limit: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const waiting = items.entries()
  let hasFailed = false
  const actInTurn = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (hasFailed) return
      results[index] = await act(item)
    }
  }
  const failing = (error: unknown): never => {
    hasFailed = true
    throw error
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, () => actInTurn().catch(failing)))
  return results
}
