import type { GitStore } from '../git/types.ts'

/** The store with reads of refs shared among the requests of a turn, because each takes some `stat` calls. */
export function shareReads(git: GitStore): GitStore {
  return {
    ...git,
    listBranches: oncePerTurn(git.listBranches),
    listTags: oncePerTurn(git.listTags),
    findBranch: oncePerTurn(git.findBranch),
  }
}

/**
 * Shares a read among the callers of one turn of the event loop. Requests that are answered in a turn arrived before it,
 * so none of them depends on a change during the turn. Do not use it to read what this process has just changed.
 */
export function oncePerTurn<Arguments extends readonly (number | string)[], Result>(
  read: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  const ofThisTurn = new Map<string, Promise<Result>>()
  return (...args) => {
    const key = JSON.stringify(args)
    const known = ofThisTurn.get(key)
    if (known !== undefined) return known
    const result = read(...args)
    if (ofThisTurn.size === 0) setImmediate(() => ofThisTurn.clear())
    ofThisTurn.set(key, result)
    return result
  }
}
