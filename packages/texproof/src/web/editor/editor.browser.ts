/**
 * The editor in place of the text field of a form. The field stays in the form and is filled from the editor, so a
 * commit is the same as without script. The cursor starts on the line given by `#L31` or by the page. Where a page has
 * no drafts, the browser warns before unsaved changes are lost.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab, redo, undo } from '@codemirror/commands'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'

import { refreshOtherDrafts, wireCommits } from './commit.browser.ts'
import { completion } from './completion.browser.ts'
import { editorTheme, panelLabels } from './editor-theme.browser.ts'
import { environments } from './environments.browser.ts'
import { languageOf } from './latex-language.browser.ts'
import {
  followRequestedLine,
  goToLine,
  measureWithFonts,
  requestedLine,
  showProblems,
  wirePrinting,
} from './lines.browser.ts'
import type { LineProblem } from './lines.browser.ts'
import { wireOutline } from './outline.browser.ts'
import { collaborationOn, openSharedText } from './shared/shared-text.browser.ts'
import { wireMoves } from './files/move-files.browser.ts'
import { keepSelectionFromViewer, wirePanes } from './panes.browser.ts'
import { openProject } from './project.browser.ts'
import { formulas } from './project/formulas.browser.ts'
import { wireProjectEdits } from './project/project-edits.browser.ts'
import { references } from './references.browser.ts'
import type { SourcePlace } from './references.browser.ts'
import { editorTools, wireEditorTools } from './tools/editor-tools.browser.ts'
import { applyKeyBindings, keyBindings } from './tools/key-bindings.browser.ts'
import { warmUpTyping } from './tools/warm-up-typing.browser.ts'
import { openFile, showPane, synctexKeys, wireSynctex } from './synctex.browser.ts'
import { wireUpload } from './files/upload.browser.ts'
import { fillField, guard, wireDraft } from './wire-draft.browser.ts'

/** The outline follows when typing pauses: it takes the sources of the whole project, and the preview goes first. */
const OUTLINE_AFTER_MS = 1_000

/** Removes null characters, which text copied from a PDF can contain: the server refuses them, and with them all of the text. */
const withoutNull = EditorState.transactionFilter.of((transaction) => {
  const changes: { readonly from: number; readonly to: number }[] = []
  transaction.changes.iterChanges((_from, _to, start, _end, inserted) => {
    const text = inserted.toString()
    for (let at = text.indexOf('\0'); at !== -1; at = text.indexOf('\0', at + 1))
      changes.push({ from: start + at, to: start + at + 1 })
  })
  return changes.length === 0 ? transaction : [transaction, { changes, sequential: true }]
})

const field = document.querySelector<HTMLTextAreaElement>('[data-edit-form] textarea')
if (field !== null) open(field)
const page = document.querySelector<HTMLElement>('[data-editor-page]')
if (page !== null) wirePanes(page)
const list = document.querySelector<HTMLElement>('.editor-files')
if (list !== null && field !== null && field.form !== null) {
  wireUpload({ list, form: field.form })
  wireMoves({ list, form: field.form })
}

function open(area: HTMLTextAreaElement): void {
  const { form } = area
  const path = form?.querySelector<HTMLInputElement>('[name=path]') ?? null
  const language = new Compartment()
  const project = form?.dataset['project'] === undefined ? null : openProject(form.dataset['project'])
  const shared = form === null ? null : openSharedText(form)
  const openPlace = (place: SourcePlace): void => {
    if (form !== null && place.path !== form.dataset['path']) return openFile(form, place)
    showPane('source', '.cm-editor')
    goToLine(view, place.line)
  }
  const view = new EditorView({
    state: EditorState.create({
      doc: shared?.text ?? area.value,
      extensions: [
        keyBindings({
          undo: () => (shared === null ? undo(view) : shared.undo()),
          redo: () => (shared === null ? redo(view) : shared.redo()),
          endChange: () => shared?.endChange(),
          commit: () => commit(area),
        }),
        // A shared text is stored at once, and opened from the server.
        shared?.extensions ?? [history(), keymap.of(historyKeymap), fillField(area)],
        extensionsOf(area),
        language.of(languageOf(path?.value ?? '')),
        synctexKeys(form),
        formulas(form),
        form === null || project === null ? [] : editorTools(form, project),
        project === null ? [] : [completion(project, path?.value ?? ''), references(project, openPlace)],
      ],
    }),
  })
  area.hidden = true
  area.before(view.dom)
  if (area.autofocus) view.focus()
  for (const help of document.querySelectorAll<HTMLElement>('[data-editor-help]')) help.hidden = false
  path?.addEventListener('change', () => view.dispatch({ effects: language.reconfigure(languageOf(path.value)) }))
  area.labels[0]?.addEventListener('click', () => view.focus())
  // An open panel or tooltip closes; outside, Escape would also take the focus away.
  view.dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation()
  })
  // In a search or in the PDF, the browser would save the page as a file.
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isSaveKey(event)) return
    event.preventDefault()
    if (document.querySelector('dialog:modal') === null) commit(area)
  })
  keepSelectionFromViewer(view)
  wirePrinting(view)
  form?.addEventListener('formdata', ({ formData }) => formData.set(area.name, view.state.doc.toString()))
  showProblems(view, JSON.parse(area.dataset['problems'] ?? '[]') as readonly LineProblem[])
  measureWithFonts(view)
  followRequestedLine(view, area)
  if (form?.dataset['path'] !== undefined) wireSynctex(view, form, (line) => goToLine(view, line))
  const showOutline = project === null ? null : wireOutline(project, openPlace)
  let outlineTimer: ReturnType<typeof setTimeout> | undefined
  const refresh = (): void => {
    project?.invalidate()
    clearTimeout(outlineTimer)
    if (showOutline !== null) outlineTimer = setTimeout(showOutline, OUTLINE_AFTER_MS)
  }
  wireEditorTools(view)
  warmUpTyping(view, (text) => [collaborationOn(text), extensionsOf(area), languageOf(path?.value ?? '')])
  void applyKeyBindings(view)
  if (form !== null && project !== null && /\.(?:tex|ltx)$/i.test(path?.value ?? ''))
    void import('./spelling/spelling.browser.ts').then(({ wireSpelling }) => wireSpelling(view, { form, project }))
  const address = form?.dataset['draft']
  if (form === null || address === undefined) return guard(view, area)
  const onWritten = wireDraft(view, {
    form,
    address,
    shared,
    onStored: refresh,
    showProblems: (problems) => showProblems(view, problems as readonly LineProblem[]),
    openPlace,
  })
  wireCommits(form, () => {
    // The fields of the commit are hidden now. Any other field keeps the focus: the author may be typing in it.
    const { activeElement: focused, body } = document
    if (focused === null || focused === body || !focused.checkVisibility()) view.focus()
    refreshDrafts()
  })
  const refreshDrafts = (): void => void refreshOtherDrafts(form)
  document.querySelector('[data-open-commit]')?.addEventListener('click', refreshDrafts)
  wireProjectEdits(view, {
    form,
    openPlace,
    onWritten() {
      onWritten()
      refreshDrafts()
    },
  })
}

function extensionsOf(area: HTMLTextAreaElement): Extension {
  const describedBy = area.getAttribute('aria-describedby')
  return [
    EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''),
    EditorView.contentAttributes.of({
      'aria-labelledby': area.labels[0]?.id ?? '',
      ...(describedBy === null ? {} : { 'aria-describedby': describedBy }),
      ...(area.ariaInvalid === null ? {} : { 'aria-invalid': area.ariaInvalid }),
      autocapitalize: 'none',
      tabindex: '0',
      spellcheck: 'true',
    }),
    EditorState.tabSize.of(4),
    indentUnit.of('  '),
    EditorView.lineWrapping,
    lineNumbers(),
    lintGutter(),
    foldGutter({ openText: '▾', closedText: '▸' }),
    codeFolding(),
    highlightSpecialChars(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    panelLabels,
    closeBrackets(),
    bracketMatching(),
    environments,
    requestedLine,
    withoutNull,
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: () => commit(area) },
      ...closeBracketsKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    editorTheme,
  ]
}

function isSaveKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 's' && ctrlKey !== metaKey && !shiftKey && !altKey
}

/** Submits the form with the button that keeps the page open, if there is one. */
function commit({ form }: HTMLTextAreaElement): boolean {
  const button = form?.querySelector<HTMLButtonElement>('[data-commit-here]')
  form?.requestSubmit(button ?? form.querySelector<HTMLButtonElement>('button.button'))
  return true
}
