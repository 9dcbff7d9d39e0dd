/**
 * The editor in place of the text field of a form. The field stays in the form and is filled from the editor, so a
 * commit is the same as without script. The cursor starts on the line given by `#L31` or by the page. Where a page has
 * no drafts, the browser warns before unsaved changes are lost.
 */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, StateEffect } from '@codemirror/state'
import type { Extension, Text } from '@codemirror/state'
import { EditorView, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'

import { completion } from './completion.browser.ts'
import { keepDraft } from './drafts.browser.ts'
import { editorTheme } from './editor-theme.browser.ts'
import { environments } from './environments.browser.ts'
import { languageOf } from './latex-language.browser.ts'
import { wireOutline } from './outline.browser.ts'
import { openSharedText } from './shared-text.browser.ts'
import type { SharedText } from './shared-text.browser.ts'
import { wirePanes } from './panes.browser.ts'
import { wirePreview } from './preview.browser.ts'
import { openProject } from './project.browser.ts'
import { references } from './references.browser.ts'
import type { SourcePlace } from './references.browser.ts'
import { openFile, synctexKeys, wireSynctex } from './synctex.browser.ts'
import { wireUpload } from './upload.browser.ts'

/** A problem of the last build, as the page contains it. */
interface LineProblem {
  /** 1 = the first. */
  readonly line: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** How long typing pauses before the field is filled. */
const FILL_AFTER_MS = 150

const field = document.querySelector<HTMLTextAreaElement>('[data-edit-form] textarea')
if (field !== null) open(field)
const page = document.querySelector<HTMLElement>('[data-editor-page]')
if (page !== null) wirePanes(page)
const files = document.querySelector<HTMLElement>('[data-upload]')
if (files !== null && field !== null && field.form !== null) wireUpload(files, field.form)

function open(area: HTMLTextAreaElement): void {
  const { form } = area
  const path = form?.querySelector<HTMLInputElement>('[name=path]') ?? null
  const language = new Compartment()
  const project = form?.dataset['project'] === undefined ? null : openProject(form.dataset['project'])
  const shared = form === null ? null : openSharedText(form)
  const openPlace = (place: SourcePlace): void => {
    if (place.path === form?.dataset['path']) goToLine(view, place.line)
    else if (form !== null) openFile(form, place)
  }
  const view = new EditorView({
    state: EditorState.create({
      doc: shared?.text ?? area.value,
      extensions: [
        shared?.extensions ?? [history(), keymap.of(historyKeymap)],
        extensionsOf(area),
        language.of(languageOf(path?.value ?? '')),
        synctexKeys(form),
        project === null ? [] : [completion(project, path?.value ?? ''), references(project, openPlace)],
      ],
    }),
  })
  area.hidden = true
  area.before(view.dom)
  for (const help of document.querySelectorAll<HTMLElement>('[data-editor-help]')) help.hidden = false
  path?.addEventListener('change', () => view.dispatch({ effects: language.reconfigure(languageOf(path.value)) }))
  area.labels[0]?.addEventListener('click', () => view.focus())
  // An open panel or tooltip closes; outside, Escape would also take the focus away.
  view.dom.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') event.stopPropagation()
  })
  form?.addEventListener('formdata', ({ formData }) => formData.set(area.name, textOf(view.state.doc)))
  showProblems(view, JSON.parse(area.dataset['problems'] ?? '[]') as readonly LineProblem[])
  goToRequestedLine(view, area)
  addEventListener('hashchange', () => goToRequestedLine(view, area))
  if (form?.dataset['path'] !== undefined) wireSynctex(view, form, (line) => goToLine(view, line))
  const showOutline = project === null ? null : wireOutline(project, openPlace)
  const refresh = (): void => {
    project?.invalidate()
    showOutline?.()
  }
  const address = form?.dataset['draft']
  if (form === null || address === undefined) guard(view, area)
  else wireDraft(view, { form, address, shared, onStored: refresh })
}

function wireDraft(
  view: EditorView,
  {
    form,
    address,
    shared,
    onStored,
  }: {
    readonly form: HTMLFormElement
    readonly address: string
    readonly shared: SharedText | null
    readonly onStored: () => void
  },
): void {
  const preview = form.dataset['preview']
  const compile =
    preview === undefined
      ? (): void => {}
      : wirePreview({
          form,
          address: preview,
          editedLine: () => view.state.doc.lineAt(view.state.selection.main.head).number,
          showProblems: (problems) => showProblems(view, problems as readonly LineProblem[]),
        })
  const stored = (): void => {
    onStored()
    compile()
  }
  const fallBack = (): void => keepInForm(view, { form, address, onStored: stored })
  if (shared === null) fallBack()
  else shared.connect(view, { onStored: stored, fallBack })
}

/** Sends whole texts where there can be no live connection. */
function keepInForm(
  view: EditorView,
  {
    form,
    address,
    onStored,
  }: { readonly form: HTMLFormElement; readonly address: string; readonly onStored: () => void },
): void {
  const changed = keepDraft({
    form,
    address,
    read: () => textOf(view.state.doc),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    onStored,
  })
  view.dispatch({
    effects: StateEffect.appendConfig.of(EditorView.updateListener.of(({ docChanged }) => docChanged && changed())),
  })
}

function extensionsOf(area: HTMLTextAreaElement): Extension {
  const describedBy = area.getAttribute('aria-describedby')
  return [
    EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''),
    EditorView.contentAttributes.of({
      'aria-labelledby': area.labels[0]?.id ?? '',
      ...(describedBy === null ? {} : { 'aria-describedby': describedBy }),
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
    closeBrackets(),
    bracketMatching(),
    environments,
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: () => commit(area) },
      ...closeBracketsKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
    fillField(area),
    editorTheme,
  ]
}

/** Submits the form with its main button. */
function commit({ form }: HTMLTextAreaElement): boolean {
  form?.requestSubmit(form.querySelector<HTMLButtonElement>('button.button') ?? undefined)
  return true
}

/** Fills the field when typing pauses, for the browser, which restores forms. */
function fillField(area: HTMLTextAreaElement): Extension {
  let timer: ReturnType<typeof setTimeout> | undefined
  return EditorView.updateListener.of(({ docChanged, view }) => {
    if (!docChanged) return
    clearTimeout(timer)
    timer = setTimeout(() => (area.value = textOf(view.state.doc)), FILL_AFTER_MS)
  })
}

function textOf(doc: Text): string {
  return doc.toString()
}

/** Underlines the lines with problems and marks them in the margin. */
function showProblems(view: EditorView, problems: readonly LineProblem[]): void {
  const { doc } = view.state
  const diagnostics = problems.flatMap(({ line, severity, message }): Diagnostic[] => {
    if (line > doc.lines) return []
    const { from, to, text } = doc.line(line)
    return [{ from: from + (text.length - text.trimStart().length), to, severity, message }]
  })
  view.dispatch(setDiagnostics(view.state, diagnostics))
}

function goToRequestedLine(view: EditorView, area: HTMLTextAreaElement): void {
  const line = Number(/^#L(\d+)/.exec(location.hash)?.[1] ?? area.dataset['line'] ?? 0)
  // A list of problems keeps the focus.
  if (line > 0 && document.getElementById('problem') === null) goToLine(view, line)
}

function goToLine(view: EditorView, line: number): void {
  const { from, to } = view.state.doc.line(Math.min(line, view.state.doc.lines))
  view.focus()
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
}

function guard(view: EditorView, { form }: HTMLTextAreaElement): void {
  const opened = view.state.doc
  let isSent = false
  form?.addEventListener('submit', () => (isSent = true))
  addEventListener('pageshow', () => (isSent = false))
  addEventListener('beforeunload', (event) => {
    const isUnsaved = !view.state.doc.eq(opened) || form?.dataset['unsaved'] !== undefined
    if (!isSent && isUnsaved) event.preventDefault()
  })
}
