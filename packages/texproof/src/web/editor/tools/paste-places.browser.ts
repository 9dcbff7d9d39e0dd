/** Places of pastes that are converted first: by then, the cursor may be elsewhere. */
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

export interface PastePlaces {
  /** Follows the changes of the text. */
  readonly extension: Extension
  /**
   * Removes what the paste replaces, so that what is typed meanwhile comes after the place. The result inserts a text at
   * the place, once.
   */
  open(view: EditorView): (text: string) => void
}

export function createPastePlaces(): PastePlaces {
  const places = new Set<{ position: number }>()
  return {
    extension: EditorView.updateListener.of(({ docChanged, changes }) => {
      if (docChanged) for (const place of places) place.position = changes.mapPos(place.position, -1)
    }),
    open(view) {
      view.dispatch(view.state.replaceSelection(''))
      const place = { position: view.state.selection.main.head }
      places.add(place)
      return (text) => {
        places.delete(place)
        const { position } = place
        const insert = view.state.toText(text)
        const { empty, head } = view.state.selection.main
        const isCursorHere = empty && head === position
        view.dispatch({
          changes: { from: position, insert },
          ...(isCursorHere ? { selection: { anchor: position + insert.length } } : {}),
          scrollIntoView: isCursorHere,
          userEvent: 'input.paste',
        })
      }
    },
  }
}
