import type { SqliteHandles } from './sqlite-dialect.ts'

/**
 * Creates a function that returns a number that changes with every commit. It queries the database at most once per
 * turn of the event loop, and after every statement of this process. A request that is answered in this turn arrived
 * before the turn, so it cannot depend on a later commit of another process.
 */
export function databaseVersion({ reader, writer }: SqliteHandles): () => number {
  let version = 0
  let writes = -1
  let isOfThisTurn = false

  return () => {
    if (isOfThisTurn && writes === writer.runCount) return version
    if (!isOfThisTurn) setImmediate(endTurn)
    isOfThisTurn = true
    writes = writer.runCount
    version = reader.dataVersion()
    return version
  }

  function endTurn(): void {
    isOfThisTurn = false
  }
}
