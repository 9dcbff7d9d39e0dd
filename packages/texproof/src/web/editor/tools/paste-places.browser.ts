/** Places of pastes that are converted first: by then, the cursor may be elsewhere. */
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Where a text is inserted: at the place, or below its line unless the place is at the beginning of the line. */
type Insertion = 'inline' | 'lines'

export interface PastePlaces {
  /** Follows the changes of the text. */
  readonly extension: Extension
  /**
   * Removes what the paste replaces, so that what is typed meanwhile comes after the place. The result inserts a text at
   * the place, once.
   */
  open(view: EditorView): (text: string, as?: Insertion) => void
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
      return (text, as = 'inline') => {
        places.delete(place)
        const { position } = place
        const { doc } = view.state
        const line = doc.lineAt(position)
        const isBelow = as === 'lines' && position > line.from
        const from = isBelow ? Math.min(line.to + 1, doc.length) : position
        const insert = view.state.toText(isBelow && line.to === doc.length ? `\n${text}` : text)
        const { empty, head } = view.state.selection.main
        const isCursorHere = empty && head === position
        view.dispatch({
          changes: { from, insert },
          ...(isCursorHere ? { selection: { anchor: from + insert.length } } : {}),
          scrollIntoView: isCursorHere,
          userEvent: 'input.paste',
        })
      }
    },
  }
}
