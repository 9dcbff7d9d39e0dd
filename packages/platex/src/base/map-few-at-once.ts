/**
 * Calls `act` for every item, for at most `limit` of them at the same time.
 *
 * Returns the results in the order of the items. After an error it starts no other item, and rejects with that error when
 * those that have started have ended: until then, they use what the caller may clean up.
 */
export async function mapFewAtOnce<T, R>(
  items: readonly T[],
  limit: number,
  act: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const errors: unknown[] = []
  const actInTurn = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (errors.length > 0) return
      results[index] = await act(item)
    }
  }
  const actors = Array.from({ length: Math.min(limit, items.length) }, () => actInTurn())
  await Promise.all(actors.map((acting) => acting.catch((error: unknown) => errors.push(error))))
  if (errors.length > 0) throw errors[0]
  return results
}
