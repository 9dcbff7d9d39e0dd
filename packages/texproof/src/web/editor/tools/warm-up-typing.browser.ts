/**
 * Letters typed while the page is idle, into an editor that is not in the page. Browsers run code slowly the first times:
 * the first letters of an author would take two to three times as long as later ones.
 */
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** More make no difference. */
const LETTERS = 40
/** Enough for highlighting. */
const TEXT_CHARACTERS = 5_000

/** `extensionsFor` returns the extensions of an editor with this text, without any that act on the page. */
export function warmUpTyping({ state }: EditorView, extensionsFor: (text: string) => Extension): void {
  const doc = state.doc.sliceString(0, TEXT_CHARACTERS)
  whenIdle(() => {
    const copy = new EditorView({ state: EditorState.create({ doc, extensions: extensionsFor(doc) }) })
    whenIdle(() => typeLetters(copy, LETTERS))
  })
}

function typeLetters(copy: EditorView, count: number): void {
  if (count === 0) return copy.destroy()
  // As a browser does: the editor reads the letter from its content.
  copy.contentDOM.querySelector('.cm-line')?.append('a')
  whenIdle(() => typeLetters(copy, count - 1))
}

/** Safari has no idle callbacks. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act)
  else setTimeout(act, 50)
}
