/** The panes of the editor page: shown, hidden and resized; on a narrow screen one at a time. */
import type { EditorView } from '@codemirror/view'

const NARROW = matchMedia('(max-width: 63.99rem)')
const STEP_PERCENT = 2
const STORED = 'texproof-editor-panes'

/** Layout chosen by the user, kept in the browser. */
interface Choice {
  readonly hidden: readonly string[]
  /** Width of a pane in per cent of the page. */
  readonly widths: Readonly<Record<string, number>>
}

/** Makes the panes of the page respond to their buttons and separators. */
export function wirePanes(page: HTMLElement): void {
  let choice = readChoice()
  const change = (changed: Partial<Choice>): void => {
    choice = { ...choice, ...changed }
    localStorage.setItem(STORED, JSON.stringify(choice))
    show(page, choice)
  }
  for (const button of page.querySelectorAll<HTMLButtonElement>('[data-show-pane]'))
    button.addEventListener('click', () => {
      const pane = button.dataset['showPane'] ?? ''
      if (NARROW.matches) {
        page.dataset['pane'] = pane
        show(page, choice)
        showCurrentFile(page)
        return
      }
      const isHidden = choice.hidden.includes(pane)
      change({ hidden: isHidden ? choice.hidden.filter((name) => name !== pane) : [...choice.hidden, pane] })
    })
  wireCommit(page)
  for (const separator of page.querySelectorAll<HTMLElement>('[data-resize]'))
    wireSeparator(page, separator, (pane, width) => change({ widths: { ...choice.widths, [pane]: width } }))
  NARROW.addEventListener('change', () => show(page, choice))
  show(page, choice)
  showCurrentFile(page)
}

/** Scrolls a long list of files to the one that is edited; the page itself does not scroll. */
function showCurrentFile(page: HTMLElement): void {
  const list = page.querySelector('.editor-files')
  const current = list?.querySelector('[aria-current]')
  if (!list || !current) return
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()]
  if (inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2
}

/** Path, message and branch of the commit are shown on request. */
function wireCommit(page: HTMLElement): void {
  const button = page.querySelector<HTMLButtonElement>('[data-open-commit]')
  const rename = page.querySelector<HTMLButtonElement>('[data-rename-file]')
  if (button === null || rename === null) return
  const toggle = (isOpen: boolean): void => {
    page.toggleAttribute('data-committing', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }
  const openAt = (field: string): void => {
    toggle(true)
    if (NARROW.matches) page.querySelector<HTMLElement>('[data-show-pane=source]')?.click()
    page.querySelector<HTMLElement>(field)?.focus()
  }
  for (const each of [button, rename]) each.hidden = false
  toggle(page.hasAttribute('data-committing'))
  button.addEventListener('click', () => (page.hasAttribute('data-committing') ? toggle(false) : openAt('#message')))
  rename.addEventListener('click', () => openAt('#path'))
  page.addEventListener('keydown', (event) => {
    const isInFields = event.target instanceof Element && event.target.closest('.path-field, .commit-fields') !== null
    if (event.key !== 'Escape' || !isInFields) return
    // Outside, Escape takes the focus away.
    event.stopPropagation()
    toggle(false)
    button.focus()
  })
}

function readChoice(): Choice {
  try {
    const { hidden = [], widths = {} } = JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<Choice>
    return { hidden, widths }
  } catch {
    // Written by another version: start over.
    return { hidden: [], widths: {} }
  }
}

function show(page: HTMLElement, { hidden, widths }: Choice): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>('[data-show-pane]')) {
    const pane = button.dataset['showPane'] ?? ''
    button.hidden = pane === 'source' && !NARROW.matches
    button.setAttribute('aria-pressed', String(NARROW.matches ? page.dataset['pane'] === pane : !hidden.includes(pane)))
  }
  page.toggleAttribute('data-without-files', hidden.includes('files'))
  page.toggleAttribute('data-without-pdf', hidden.includes('pdf'))
  for (const [pane, width] of Object.entries(widths)) {
    page.style.setProperty(`--${pane}-width`, `${width}%`)
    page.querySelector(`[data-resize="${pane}"]`)?.setAttribute('aria-valuenow', String(Math.round(width)))
  }
}

function wireSeparator(page: HTMLElement, separator: HTMLElement, resize: (pane: string, width: number) => void): void {
  const pane = separator.dataset['resize'] ?? ''
  const set = (width: number): void => resize(pane, Math.min(70, Math.max(10, width)))
  // From the left edge for the files, from the right edge for the PDF.
  const direction = pane === 'files' ? 1 : -1
  separator.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? STEP_PERCENT : event.key === 'ArrowLeft' ? -STEP_PERCENT : 0
    if (step === 0) return
    event.preventDefault()
    set(Number(separator.getAttribute('aria-valuenow')) + step * direction)
  })
  separator.addEventListener('pointerdown', ({ pointerId }) => separator.setPointerCapture(pointerId))
  separator.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (!separator.hasPointerCapture(pointerId)) return
    const { left, right, width } = page.getBoundingClientRect()
    set(((pane === 'files' ? clientX - left : right - clientX) / width) * 100)
  })
}

/**
 * Keeps changes of the selection inside the editor from the viewer: after each of them, pdf.js changes the text of all pages,
 * and the browser lays out the page again, which took 3 ms for each key. It is notified when the selection leaves the pages.
 */
export function keepSelectionFromViewer(view: EditorView): void {
  let wasInside = false
  // CodeMirror listens earlier, since the editor exists, and pdf.js later, since it has shown a page.
  document.addEventListener('selectionchange', (event) => {
    const isInside = view.dom.contains(document.getSelection()?.anchorNode ?? null)
    if (isInside && wasInside) event.stopImmediatePropagation()
    wasInside = isInside
  })
  view.dom.addEventListener('keyup', (event) => event.stopPropagation())
}
