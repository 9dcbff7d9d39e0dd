import { quote } from '../domain/text/shell-word.ts'
import { currentCommandAs } from './command-line.ts'

/** The problem and how to fix it, as sentences for the operator. */
export interface OwnerProblem {
  readonly problem: string
  readonly remedy: string
}

/**
 * Why this process must not use a data directory that belongs to the user `owner`, or null if that is its own user. Even
 * root must not: the server could not use the files that it leaves behind.
 */
export function explainForeignOwner(dataDir: string, owner: number): OwnerProblem | null {
  const uid = process.getuid?.()
  if (uid === undefined || uid === owner) return null // Windows has no uids.
  const rerun = `Run the command as that user: ${currentCommandAs(owner, dataDir)}`
  // Root is not offered the directory: a server that runs as another user would lose it.
  const handOver = uid === 0 ? '' : `. If the server runs as uid ${uid}: sudo chown -R ${uid} ${quote(dataDir)}`
  return {
    problem: `${dataDir} belongs to uid ${owner}, but this command runs as uid ${uid}`,
    remedy: rerun + handOver,
  }
}
