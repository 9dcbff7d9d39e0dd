/** The result of one check. `remedy` is a command or a change of settings. */
export interface Finding {
  readonly check: string
  /** `weak` works with a caveat; `broken` does not work. */
  readonly state: 'good' | 'weak' | 'broken'
  readonly message: string
  readonly remedy: string | null
}
