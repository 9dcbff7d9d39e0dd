/** Status of one part of the host. */
export interface StatusCard {
  readonly title: string
  readonly state: 'good' | 'warned' | 'failed'
  /** Commands in it are in backticks. */
  readonly text: string
  /** What to type or change; null if nothing is wrong. */
  readonly remedy: string | null
}
