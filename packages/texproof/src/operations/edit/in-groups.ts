const AT_ONCE = 8

/** Calls a function for every item, a few at once: each call opens the room of a draft. Results are in the same order. */
export async function inGroups<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(call))))
  return results
}
