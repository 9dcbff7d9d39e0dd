/** Misspelled words are underlined while the user writes. F7 goes to the next one; it and a click open suggestions. */
import { Compartment, Prec, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin, keymap } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'

import { make } from '../project/elements.browser.ts'
import { postProject } from '../project/post-project.browser.ts'
import type { Project } from '../project.browser.ts'
import { openDialog } from '../tools/tool-dialog.browser.ts'
import type { Misspelling, SpellingRequest } from './check-spelling.browser.ts'
import { openSuggestions, suggestionMenu } from './suggestion-menu.browser.ts'

const STORED = 'texproof-spelling'
const CHECK_AFTER_MS = 500

/** Words that are accepted besides the words of the dictionaries. */
export interface AcceptedWords {
  readonly own: readonly string[]
  readonly project: readonly string[]
}

/** Spelling functions used by the suggestion menu. */
export interface Spelling {
  suggest(misspelling: Misspelling): Promise<readonly string[]>
  /** Returns the problem, if there is one. */
  change(
    word: string,
    to: { readonly dictionary: keyof AcceptedWords; readonly act: 'add' | 'remove' },
  ): Promise<string | null>
}

interface Editor {
  readonly form: HTMLFormElement
  readonly project: Project
}

const place = new Compartment()
const setMisspellings = StateEffect.define<readonly Misspelling[]>()
const misspellings = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMisspellings)) return toMarks(effect.value)
    return marks.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Checks the spelling, unless the user turned it off. */
export function wireSpelling(view: EditorView, editor: Editor): void {
  view.dispatch({ effects: StateEffect.appendConfig.of(place.of([])) })
  const show = (): void => {
    const isOn = localStorage.getItem(STORED) !== 'off'
    view.dispatch({ effects: place.reconfigure(isOn ? checking(view, editor) : []) })
  }
  show()
  const button = document.querySelector<HTMLButtonElement>('[data-spelling-settings]')
  if (button === null) return
  button.hidden = false
  button.addEventListener('click', () => void openSettings(view, { editor, show }))
}

/** Checks the text after each pause. */
function checking(view: EditorView, { form, project }: Editor): Extension {
  const worker = new Worker(`${form.dataset['spelling'] ?? ''}check-spelling.js`, { type: 'module' })
  const ask = createQuestions(worker)
  let words: AcceptedWords = { own: [], project: [] }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWriting = false

  const check = async (): Promise<void> => {
    const index = await project.read()
    const { doc } = view.state
    const known = [...words.own, ...words.project]
    const found = (await ask({
      kind: 'check',
      source: doc.toString(),
      preamble: index?.languages ?? '',
      known,
    })) as readonly Misspelling[]
    if (view.state.doc !== doc) return
    // A word that is being written is not wrong yet.
    const { head } = view.state.selection.main
    const shown = view.hasFocus && isWriting ? found.filter(({ to }) => to !== head) : found
    view.dispatch({ effects: setMisspellings.of(shown) })
  }
  const schedule = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void check(), CHECK_AFTER_MS)
  }
  const spelling: Spelling = {
    suggest: async ({ word, language }) => (await ask({ kind: 'suggest', word, language })) as readonly string[],
    async change(word, to) {
      const answer = await changeWord(form, word, to)
      if (answer.kind !== 'done') return answer.kind === 'problem' ? answer.problem : null
      words = answer.result
      schedule()
      return null
    },
  }
  const open = (at: number, { isFocused }: { readonly isFocused: boolean }): void => {
    const found = misspellingAt(view, at)
    if (found !== null) void openSuggestions(view, found, { spelling, isFocused })
  }
  void readWords(form).then((read) => {
    words = read
    schedule()
  })
  return [
    misspellings,
    suggestionMenu,
    Prec.highest(EditorView.contentAttributes.of({ spellcheck: 'false' })),
    keymap.of([{ key: 'F7', preventDefault: true, run: () => goToNext(view, (at) => open(at, { isFocused: true })) }]),
    EditorView.domEventHandlers({
      click(event) {
        const at = view.posAtCoords(event)
        if (at !== null && view.state.selection.main.empty) open(at, { isFocused: false })
        return false
      },
    }),
    EditorView.updateListener.of(({ docChanged, selectionSet }) => {
      if (docChanged || (selectionSet && isWriting)) schedule()
      if (docChanged || selectionSet) isWriting = docChanged
    }),
    ViewPlugin.define(() => ({
      destroy() {
        clearTimeout(timer)
        worker.terminate()
      },
    })),
  ]
}

type Unnumbered<Request> = Request extends unknown ? Omit<Request, 'id'> : never

/** Matches the answers of the worker to questions. */
function createQuestions(worker: Worker): (request: Unnumbered<SpellingRequest>) => Promise<unknown> {
  const open = new Map<number, (result: unknown) => void>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly result: unknown }>) => {
    open.get(data.id)?.(data.result)
    open.delete(data.id)
  })
  return (request) =>
    new Promise((resolve) => {
      lastId += 1
      open.set(lastId, resolve)
      worker.postMessage({ ...request, id: lastId }, [])
    })
}

function toMarks(found: readonly Misspelling[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const misspelling of found)
    builder.add(misspelling.from, misspelling.to, Decoration.mark({ class: 'cm-misspelled', misspelling }))
  return builder.finish()
}

/** The misspelled word at a position, at its current place. */
function misspellingAt(view: EditorView, position: number): Misspelling | null {
  let found: Misspelling | null = null
  view.state.field(misspellings).between(position, position, (from, to, { spec }) => {
    found = { ...(spec as { misspelling: Misspelling }).misspelling, from, to }
  })
  return found
}

/** Selects the next misspelled word after the cursor, or the first. */
function goToNext(view: EditorView, open: (at: number) => void): boolean {
  const { to } = view.state.selection.main
  let next: number | null = null
  let first: number | null = null
  view.state.field(misspellings).between(0, view.state.doc.length, (from) => {
    first ??= from
    if (from < to) return undefined
    next = from
    return false
  })
  const at = next ?? first
  if (at === null) return true
  const found = misspellingAt(view, at)
  if (found === null) return true
  view.dispatch({ selection: { anchor: found.from, head: found.to }, scrollIntoView: true })
  open(at)
  return true
}

async function readWords(form: HTMLFormElement): Promise<AcceptedWords> {
  // Without a network: only the words of the dictionaries.
  const answer = await fetch(form.dataset['dictionary'] ?? '').catch(() => null)
  return answer?.ok === true ? ((await answer.json()) as AcceptedWords) : { own: [], project: [] }
}

function changeWord(
  form: HTMLFormElement,
  word: string,
  { dictionary, act }: { readonly dictionary: keyof AcceptedWords; readonly act: 'add' | 'remove' },
) {
  const fields = [['word', word] as const, ['dictionary', dictionary] as const, ['act', act] as const]
  return postProject<AcceptedWords>(form, form.dataset['dictionary'] ?? '', { fields })
}

/** Turns the check on and off, and lists the added words. */
async function openSettings(
  view: EditorView,
  { editor: { form }, show }: { readonly editor: Editor; readonly show: () => void },
): Promise<void> {
  const dialog = openDialog(view, { title: 'Spelling', className: 'spelling' })
  const label = dialog.appendChild(document.createElement('p')).appendChild(document.createElement('label'))
  const box = label.appendChild(document.createElement('input'))
  box.type = 'checkbox'
  box.checked = localStorage.getItem(STORED) !== 'off'
  box.addEventListener('change', () => localStorage.setItem(STORED, box.checked ? 'on' : 'off'))
  label.append(' Check spelling')
  // Also takes removed words into account.
  dialog.addEventListener('close', show)
  const words = await readWords(form)
  for (const [dictionary, title] of [
    ['own', 'Your dictionary'],
    ['project', 'Project dictionary'],
  ] as const) {
    const heading = dialog.appendChild(document.createElement('h3'))
    heading.textContent = title
    const list = dialog.appendChild(document.createElement('ul'))
    for (const word of words[dictionary]) list.append(wordItem(form, word, dictionary))
    if (words[dictionary].length === 0) list.replaceWith(make('p', { className: 'quiet', textContent: 'None.' }))
  }
}

function wordItem(form: HTMLFormElement, word: string, dictionary: keyof AcceptedWords): HTMLElement {
  const item = document.createElement('li')
  const remove = document.createElement('button')
  remove.type = 'button'
  remove.className = 'plain-button'
  remove.textContent = 'Remove'
  remove.setAttribute('aria-label', `Remove ${word}`)
  remove.addEventListener('click', async () => {
    const answer = await changeWord(form, word, { dictionary, act: 'remove' })
    if (answer.kind === 'done') item.remove()
  })
  item.append(`${word} `, remove)
  return item
}
