/** Key bindings of other editors, an option that is kept in the browser. Their packages are loaded when they are chosen. */
import { Compartment, Facet, Prec } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { ViewPlugin } from '@codemirror/view'
import type { EditorView } from '@codemirror/view'

const STORED = 'texproof-editor-keys'
const bindings = new Compartment()

/** Commands of the page that other key bindings use. */
export interface PageCommands {
  undo(): void
  redo(): void
  /** The next change is undone separately from the last. */
  endChange(): void
  commit(): void
}

const pageCommands = Facet.define<PageCommands>()

/** The choices, by the name under which they are kept. */
export const KEY_BINDINGS = { standard: 'Standard', vim: 'Vim', emacs: 'Emacs' } as const

export type KeyBindings = keyof typeof KEY_BINDINGS

/** The commands of the page of a view. */
function commandsOf(view: EditorView): PageCommands | undefined {
  return view.state.facet(pageCommands)[0]
}

/** The place of the chosen bindings, before all others. */
export function keyBindings(commands: PageCommands): Extension {
  return [pageCommands.of(commands), Prec.highest(bindings.of([]))]
}

/** Key bindings that the user chose last. */
export function chosenKeyBindings(): KeyBindings {
  const stored = localStorage.getItem(STORED)
  return stored === 'vim' || stored === 'emacs' ? stored : 'standard'
}

/** Keeps a choice and applies it. */
export function chooseKeyBindings(view: EditorView, chosen: KeyBindings): void {
  localStorage.setItem(STORED, chosen)
  void applyKeyBindings(view)
}

/** Applies what the user chose. */
export async function applyKeyBindings(view: EditorView): Promise<void> {
  const chosen = chosenKeyBindings()
  const extension = await loadKeyBindings(chosen)
  // Chosen again while the script was loading.
  if (chosen === chosenKeyBindings()) view.dispatch({ effects: bindings.reconfigure(extension) })
}

async function loadKeyBindings(chosen: KeyBindings): Promise<Extension> {
  if (chosen === 'vim') return loadVim()
  return chosen === 'emacs' ? loadEmacs() : []
}

// Vim and Emacs have one set of commands for all views, so each looks up the commands of its page. Their own undo would need
// the history of CodeMirror, which a shared text does not have.

async function loadVim(): Promise<Extension> {
  const { CodeMirror, Vim, getCM, vim } = await import('@replit/codemirror-vim')
  CodeMirror.commands.undo = ({ cm6 }) => commandsOf(cm6)?.undo()
  CodeMirror.commands.redo = ({ cm6 }) => commandsOf(cm6)?.redo()
  Vim.defineEx('write', 'w', ({ cm6 }) => commandsOf(cm6)?.commit())
  // A command of Vim is undone as a whole, and separately from the next.
  const undoUnits = ViewPlugin.define((view) => {
    const cm = getCM(view)
    const endChange = (): void => commandsOf(view)?.endChange()
    cm?.on('vim-command-done', endChange)
    return { destroy: () => cm?.off('vim-command-done', endChange) }
  })
  return [vim({ status: true }), undoUnits]
}

async function loadEmacs(): Promise<Extension> {
  const { EmacsHandler, emacs } = await import('@replit/codemirror-emacs')
  EmacsHandler.bindKey('C-/|C-x u|S-C--|C-z', (view: EditorView) => commandsOf(view)?.undo())
  EmacsHandler.bindKey('S-C-/|S-C-x u|C--|S-C-z', (view: EditorView) => commandsOf(view)?.redo())
  EmacsHandler.bindKey('C-x C-s', (view: EditorView) => commandsOf(view)?.commit())
  return emacs()
}
