import type { Finding } from '../finding.ts'

/** A fault of stored data, and how to repair it; null = only a backup helps. */
export interface DeepFinding extends Finding {
  readonly repair: Repair | null
}

/** One change. */
export interface Repair {
  /** As a command: "remove …". */
  readonly title: string
  readonly run: () => Promise<void>
}
