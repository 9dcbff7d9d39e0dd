import type { Finding } from '../finding.ts'

/** An inconsistency of stored data, and its repair; null = only a backup helps. */
export interface DeepFinding extends Finding {
  readonly repair: Repair | null
}

/** One change. */
export interface Repair {
  /** Title of the repair as a command: "remove …". */
  readonly title: string
  readonly run: () => Promise<void>
}
