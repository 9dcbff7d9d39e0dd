/** References of the project: go to the definition of a label, citation or input, and its details. */
import type { EditorState, Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'

import { detailsFrom } from './project/details.browser.ts'
import type { Project, ProjectIndex } from './project.browser.ts'

/** A line of a file of the project. */
export interface SourcePlace {
  readonly path: string
  /** 1-based. */
  readonly line: number
}

/** A name in the argument of a command. */
export interface Reference {
  readonly command: string
  readonly name: string
  readonly from: number
  readonly to: number
}

/** Target of a reference. */
interface Definition extends SourcePlace {
  /** Lines of its details. */
  readonly about: readonly string[]
}

/** On a Mac, Ctrl+click opens the context menu. */
const isMac = navigator.platform.startsWith('Mac')

const COMMAND = /\\([a-zA-Z]{1,40})\*?(?:\[[^\]\n]{0,200}\]){0,2}\{([^{}\n]{1,1000})\}/g

/** F12 or Ctrl+click (Cmd+click on a Mac) opens a definition with `open`. */
export function references(project: Project, open: (place: SourcePlace) => void): Extension {
  const go = (view: EditorView, position: number): boolean => {
    const reference = findReference(view.state, position)
    if (reference === null) return false
    void project.read().then((index) => {
      const definition = index === null ? null : findDefinition(index, reference)
      if (definition !== null) open(definition)
    })
    return true
  }
  return [
    keymap.of([{ key: 'F12', run: (view) => go(view, view.state.selection.main.head) }]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        const position = event.button === 0 && (isMac ? event.metaKey : event.ctrlKey) ? view.posAtCoords(event) : null
        return position !== null && go(view, position)
      },
    }),
    detailsFrom(async (view, position) => {
      const reference = findReference(view.state, position)
      const index = reference === null ? null : await project.read()
      const definition = reference === null || index === null ? null : findDefinition(index, reference)
      if (reference === null || definition === null || definition.about.length === 0) return null
      return { pos: reference.from, end: reference.to, above: true, create: () => ({ dom: describe(definition) }) }
    }),
  ]
}

/** The name at a position, among those that a command lists. */
export function findReference(state: EditorState, position: number): Reference | null {
  const line = state.doc.lineAt(position)
  const column = position - line.from
  for (const { index, 0: whole, 1: command = '', 2: names = '' } of line.text.matchAll(COMMAND)) {
    if (column < index || column > index + whole.length) continue
    let from = index + whole.length - 1 - names.length
    for (const part of names.split(',')) {
      const to = from + part.length
      if (column <= to || to === index + whole.length - 1)
        return { command, name: part.trim(), from: line.from + from, to: line.from + to }
      from = to + 1
    }
  }
  return null
}

function findDefinition(index: ProjectIndex, { command, name }: Reference): Definition | null {
  if (/cite/i.test(command)) {
    const citation = index.citations.find(({ key }) => key === name)
    if (citation === undefined) return null
    const { author, year, title } = citation
    return { ...citation, about: [title, [author, year].filter(Boolean).join(', ')].filter(Boolean) }
  }
  if (/ref$/i.test(command)) {
    const label = index.labels.find((known) => known.name === name)
    return label === undefined ? null : { ...label, about: [label.context].filter(Boolean) }
  }
  const path = index.files.find((file) => isInput(file, index.root + name))
  return path !== undefined && /^(?:input|include|subfile|bibliography|addbibresource)$/.test(command)
    ? { path, line: 1, about: [] }
    : null
}

function isInput(file: string, path: string): boolean {
  return file === path || file === `${path}.tex` || file === `${path}.bib`
}

function describe({ about }: Definition): HTMLElement {
  const box = document.createElement('div')
  box.className = 'cm-reference'
  for (const text of about) box.append(Object.assign(document.createElement('p'), { textContent: text }))
  return box
}
