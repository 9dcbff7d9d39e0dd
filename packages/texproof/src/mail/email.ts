/** A letter of plain text to one person. */
export interface Letter {
  /** What it is about, for the log, which names no person: `reset`, `notice`, `invite`. */
  readonly kind: string
  /** One address, taken as it is: never a list. */
  readonly to: string
  readonly subject: string
  readonly text: string
  /** How long it is worth sending: as long as its link works. @default a day */
  readonly usefulForMs?: number
}
