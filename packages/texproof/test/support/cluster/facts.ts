/**
 * Facts that clients have observed about a host. A fact has one value after an acknowledged change. A change without an
 * answer may have happened, so its value and the earlier ones are possible. What was never acknowledged is no fact.
 */
export interface Facts {
  change(fact: string, value: string, isAcknowledged: boolean): void
  /** The only possible value, or null. */
  valueOf(fact: string): string | null
  isPossible(fact: string, value: string): boolean
  /** Gives the facts of one address to another. */
  move(from: string, to: string): void
  /** Forgets the facts of an address. */
  forget(address: string): void
  list(): readonly string[]
  describe(fact: string): string
}

/** A fact is named by its kind and its address: `description alice/tides`. */
export function createFacts(): Facts {
  const known = new Map<string, Set<string>>()
  const listOf = (address: string): readonly string[] =>
    [...known.keys()].filter((fact) => fact.split(' ')[1] === address)
  return {
    change(fact, value, isAcknowledged) {
      if (isAcknowledged) known.set(fact, new Set([value]))
      else known.get(fact)?.add(value)
    },
    valueOf(fact) {
      const values = [...(known.get(fact) ?? [])]
      return values.length === 1 ? (values[0] ?? null) : null
    },
    isPossible: (fact, value) => known.get(fact)?.has(value) ?? true,
    move(from, to) {
      for (const fact of listOf(from)) {
        const [kind, , ...rest] = fact.split(' ')
        known.set([kind, to, ...rest].join(' '), known.get(fact) ?? new Set())
        known.delete(fact)
      }
    },
    forget(address) {
      for (const fact of listOf(address)) known.delete(fact)
    },
    list: () => [...known.keys()],
    describe: (fact) => `${fact} is ${[...(known.get(fact) ?? [])].join(' or ')}`,
  }
}
