/** The other people in the file: their names in the toolbar, their cursors and selections in the text. */
import { StateEffect, StateField } from '@codemirror/state'
import type { Range } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'
import * as Y from 'yjs'

import { fromBase64, toBase64 } from './unsent-changes.browser.ts'

/** A person, as the server describes them. */
export interface Person {
  readonly clientId: number
  /** The same for all windows of a user. */
  readonly userId: string
  readonly name: string
  /** 0 to 7. */
  readonly color: number
  readonly cursor: { readonly anchor: string; readonly head: string } | null
}

const MOVE_AFTER_MS = 200

const setCursors = StateEffect.define<DecorationSet>()

/** Cursors and selections of others. */
export const otherCursors = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(cursors, { changes, effects }) {
    const moved = cursors.map(changes)
    return effects.reduce((current, effect) => (effect.is(setCursors) ? effect.value : current), moved)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows who is in the file. */
export function showPeople(
  view: EditorView,
  { people, doc }: { readonly people: readonly Person[]; readonly doc: Y.Doc },
): void {
  const others = people.filter(({ clientId }) => clientId !== doc.clientID)
  view.dispatch({
    effects: setCursors.of(
      Decoration.set(
        others.flatMap((person) => decorate(person, doc)),
        true,
      ),
    ),
  })
  const list = document.querySelector<HTMLElement>('[data-people]')
  if (list === null) return
  // A user with several windows is one person.
  const users = [...new Map(people.map((person) => [person.userId, person])).values()]
  const names = users.flatMap(({ name, color }, at) => {
    const item = document.createElement('span')
    item.className = `person-name person-${color}`
    item.textContent = name
    return at === 0 ? [item] : [', ', item]
  })
  list.title = users.length < 2 ? '' : users.map(({ name }) => name).join(', ')
  list.replaceChildren(...(users.length < 2 ? [] : [`${users.length} people: `, ...names]))
}

/** Reports where the cursor is, at most some times per second. */
export function watchCursor(
  view: EditorView,
  doc: Y.Doc,
  report: (cursor: { readonly anchor: string | null; readonly head: string | null }) => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = (): void => {
    timer = undefined
    const { anchor, head } = view.state.selection.main
    const [from, to] = [anchor, head].map((index) => (view.hasFocus ? encode(doc, index) : null))
    report({ anchor: from ?? null, head: to ?? null })
  }
  view.dispatch({
    effects: StateEffect.appendConfig.of(
      EditorView.updateListener.of(({ selectionSet, focusChanged }) => {
        if (selectionSet || focusChanged) timer ??= setTimeout(send, MOVE_AFTER_MS)
      }),
    ),
  })
}

function encode(doc: Y.Doc, index: number): string {
  return toBase64(Y.encodeRelativePosition(Y.createRelativePositionFromTypeIndex(doc.getText('text'), index)))
}

function decorate({ name, color, cursor }: Person, doc: Y.Doc): readonly Range<Decoration>[] {
  if (cursor === null) return []
  const [anchor, head] = [findIndex(doc, cursor.anchor), findIndex(doc, cursor.head)]
  if (anchor === null || head === null) return []
  const caret = Decoration.widget({ widget: new Caret(name, color), side: head < anchor ? 1 : -1 }).range(head)
  if (anchor === head) return [caret]
  const selection = Decoration.mark({ class: `person-selection person-${color}` })
  return [selection.range(Math.min(anchor, head), Math.max(anchor, head)), caret]
}

/** null = the position is not of this text. */
function findIndex(doc: Y.Doc, position: string): number | null {
  try {
    const found = Y.createAbsolutePositionFromRelativePosition(Y.decodeRelativePosition(fromBase64(position)), doc)
    return found?.type === doc.getText('text') ? found.index : null
  } catch {
    // A browser has sent something else: that cursor is not shown.
    return null
  }
}

class Caret extends WidgetType {
  readonly #name: string
  readonly #color: number

  constructor(name: string, color: number) {
    super()
    this.#name = name
    this.#color = color
  }

  override eq(other: Caret): boolean {
    return other.#name === this.#name && other.#color === this.#color
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span')
    caret.className = `person-caret person-${this.#color}`
    // Screen readers read the text without it; the toolbar lists the people.
    caret.ariaHidden = 'true'
    caret.dataset['name'] = this.#name
    return caret
  }

  override ignoreEvent(): boolean {
    return true
  }
}
