import type { LatexError } from '@texproof/platex'

/** An error, and the errors that it causes. */
export interface ErrorGroup {
  readonly error: LatexError
  readonly followers: readonly LatexError[]
}

/** Groups errors by their cause, in the order of the first error of each group. */
export function groupByCause(errors: readonly LatexError[]): readonly ErrorGroup[] {
  const groups: { readonly error: LatexError; readonly followers: LatexError[] }[] = []
  const groupOf: { readonly error: LatexError; readonly followers: LatexError[] }[] = []
  for (const [at, error] of errors.entries()) {
    // A service may link errors to any other; only links to earlier errors are used.
    const earlier = error.cause === undefined || error.cause >= at ? undefined : groupOf[error.cause]
    const group = earlier ?? { error, followers: [] }
    if (earlier === undefined) groups.push(group)
    else group.followers.push(error)
    groupOf.push(group)
  }
  return groups
}

/** `and 3 errors that follow from it`; null if there are none. */
export function countFollowers({ followers }: ErrorGroup): string | null {
  if (followers.length === 0) return null
  return followers.length === 1
    ? 'and 1 error that follows from it'
    : `and ${followers.length} errors that follow from it`
}
