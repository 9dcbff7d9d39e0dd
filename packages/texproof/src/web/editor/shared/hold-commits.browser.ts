/**
 * Holds a commit back until everything is stored: it takes the text from the server. Where there can be no live
 * connection, the form has the text, and what is typed during the commit is added to the stored text.
 */
interface HeldCommits {
  /** Whether the user waits for a commit. */
  isHeld(): boolean
  /** Commits what was held back. */
  release(): void
  /** Gives up the commit. False if there is none. */
  drop(): boolean
}

/** `onHeld` is called when the user commits and `mayCommit` is false. */
export function holdCommits(
  form: HTMLFormElement,
  { mayCommit, onHeld }: { readonly mayCommit: () => boolean; readonly onHeld: () => void },
): HeldCommits {
  let held: { readonly submitter: HTMLElement | null } | null = null
  form.addEventListener(
    'submit',
    (event) => {
      // A panel of the editor has a form of its own.
      if (event.target !== form || mayCommit()) return
      event.preventDefault()
      event.stopImmediatePropagation()
      held = { submitter: event.submitter }
      onHeld()
    },
    { capture: true },
  )
  return {
    isHeld: () => held !== null,
    release() {
      if (held === null) return
      const { submitter } = held
      held = null
      form.requestSubmit(submitter)
    },
    drop() {
      const wasHeld = held !== null
      held = null
      return wasHeld
    },
  }
}
