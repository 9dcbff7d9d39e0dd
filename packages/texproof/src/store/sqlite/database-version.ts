import type { SqliteHandles } from './sqlite-dialect.ts'

/**
 * Makes the question whether anything was committed, asked of the database at most once a turn of the event loop and
 * after every statement of our own. A request that is answered in this turn was here when the turn began, so it cannot
 * know of a commit that another process made since.
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
