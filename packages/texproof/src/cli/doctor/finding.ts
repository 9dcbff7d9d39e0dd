/** What one look found. `remedy` says what to type or change. */
export interface Finding {
  readonly check: string
  /** `weak` works and deserves a second look; `broken` does not work. */
  readonly state: 'good' | 'weak' | 'broken'
  readonly message: string
  readonly remedy: string | null
}
