/** What an administrator has to know of one part of the host. */
export interface StatusCard {
  readonly title: string
  readonly state: 'good' | 'warned' | 'failed'
  readonly words: string
  /** What to type or change; null where nothing is wrong. */
  readonly remedy: string | null
}
