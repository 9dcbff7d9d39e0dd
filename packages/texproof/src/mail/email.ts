/** A plain-text email to one recipient. */
export interface Email {
  /** Kind for the log, which must not name users: `reset`, `notice`, `invite`. */
  readonly kind: string
  /** A single address, never parsed as a list. */
  readonly to: string
  readonly subject: string
  readonly text: string
  /** How long it is worth sending: the lifetime of its link. @default a day */
  readonly usefulForMs?: number
}
