/** The limits, in bytes. */
export interface ByteBudgetRule {
  readonly total: number
  readonly perKey: number
}

/** Limits the bytes that are held at once, in total and by each key. */
export interface ByteBudget {
  /** Counts bytes until the returned function is called; null if they would exceed a limit. */
  take(key: string, bytes: number): (() => void) | null
}

/** Creates a budget. */
export function createByteBudget({ total, perKey }: ByteBudgetRule): ByteBudget {
  const held = new Map<string, number>()
  let heldBytes = 0
  const add = (key: string, bytes: number): void => {
    heldBytes += bytes
    const left = (held.get(key) ?? 0) + bytes
    if (left === 0) held.delete(key)
    else held.set(key, left)
  }
  return {
    take(key, bytes) {
      if (heldBytes + bytes > total || (held.get(key) ?? 0) + bytes > perKey) return null
      add(key, bytes)
      let isHeld = true
      return () => {
        if (isHeld) add(key, -bytes)
        isHeld = false
      }
    },
  }
}
