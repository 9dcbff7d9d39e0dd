/**
 * Script of every page: copy buttons, keyboard shortcuts, menus that close, ages of times, names of chosen files.
 * Everything works without it: text can be selected, shortcuts have links, menus close by their own summary, times show the
 * full time on hover, and the browser draws fields for files.
 */

/** The rows for j and k: lists of repositories and commits, and the files of a folder. */
const ROWS = '[data-row], .files th a'

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', () => void copy(button))
}

document.addEventListener('click', (event) => closeMenus(event.target))
document.addEventListener('keydown', onKey)
addEventListener('hashchange', findOwnWords)
findOwnWords()
showCurrentTab()
if (document.querySelector('[data-ago]') !== null) void import('../ui/format/refresh-ages.browser.ts')
if (document.querySelector('.file-field') !== null) void import('../ui/form/chosen-files.browser.ts')
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-show-keys]')) {
  button.hidden = areKeysOff()
  button.addEventListener('click', showKeys)
}

/** Centers the current tab, which may be outside its row on a phone, and keeps the page at its position. */
function showCurrentTab(): void {
  const tab = document.querySelector('.tabs [aria-current]')
  const row = tab?.closest('.tabs')
  if (!tab || !row) return
  const [ofTab, ofRow] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += (ofTab.left + ofTab.right - ofRow.left - ofRow.right) / 2
}

/** Ids written by an author have a prefix here that addresses lack. */
function findOwnWords(): void {
  const [id] = new URLSearchParams(
    `id=${location.hash.slice(1).replaceAll('+', '%2B').replaceAll('&', '%26')}`,
  ).values()
  if (id && document.getElementById(id) === null) document.getElementById(`user-content-${id}`)?.scrollIntoView()
}

/** Buttons that say "Copied" at the moment, with their timers. */
const copied = new Map<HTMLButtonElement, { readonly label: readonly Node[]; timer: number }>()

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset['copy'] ?? '')
  if (source === null) return
  const isDone = await copyText(source)
  const label = copied.get(button)?.label ?? [...button.childNodes]
  clearTimeout(copied.get(button)?.timer)
  button.replaceChildren(isDone ? 'Copied' : 'Press Ctrl+C')
  const restore = (): void => {
    button.replaceChildren(...label)
    copied.delete(button)
  }
  copied.set(button, { label, timer: window.setTimeout(restore, 1500) })
}

/** Copies a text. On plain HTTP, browsers provide no clipboard API: there it is selected and copied by command. */
async function copyText(source: HTMLElement): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined
  const text = source instanceof HTMLInputElement ? source.value : (source.textContent ?? '')
  if (clipboard !== undefined) {
    const isWritten = await clipboard.writeText(text).then(
      () => true,
      () => false, // denied: fall back to the selection
    )
    if (isWritten) return true
  }
  if (source instanceof HTMLInputElement) source.select()
  else getSelection()?.selectAllChildren(source)
  return document.execCommand('copy')
}

/** Closes every open menu except the one clicked. */
function closeMenus(target: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]'))
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
}

/** The first key of a two-key shortcut, for a moment. */
let firstKey = ''

/** Shortcuts are off while typing, with a modifier, and if the user turned them off. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape') return escape()
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || areKeysOff()) return
  // An open dialog blocks the page below it.
  if (document.querySelector('dialog[open]') !== null) return
  const keys = firstKey + event.key
  firstKey = ''
  const target = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(keys)}"]`)
  if (target !== null) press(event, target)
  else if (keys === 'j' || keys === 'k') moveRow(event, keys === 'j' ? 1 : -1)
  else if (keys === 'p') document.activeElement?.closest('tr')?.querySelector<HTMLElement>('.sheet')?.click()
  else if (keys === '?') showKeys()
  else if (document.querySelector(`[data-key^="${CSS.escape(keys)} "]`) !== null) {
    firstKey = `${keys} `
    setTimeout(() => (firstKey = ''), 2000)
  }
}

function press(event: KeyboardEvent, target: HTMLElement): void {
  event.preventDefault()
  if (target instanceof HTMLInputElement) target.focus()
  else if (target instanceof HTMLDetailsElement) {
    target.open = !target.open
    target.querySelector('summary')?.focus()
  } else target.click()
}

function areKeysOff(): boolean {
  return document.documentElement.dataset['keys'] === 'off'
}

/** Moves down or up in a list; Enter opens the row. */
function moveRow(event: KeyboardEvent, by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  if (rows.length === 0) return
  event.preventDefault()
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement))
  rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

/** Symbols as printed on keyboards. */
const KEY_SYMBOLS: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→' }

/** Lists the shortcuts of this page, from its elements. */
function showKeys(): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  dialog.setAttribute('aria-label', 'Keyboard shortcuts')
  dialog.appendChild(document.createElement('h2')).textContent = 'Keyboard shortcuts'
  const list = dialog.appendChild(document.createElement('dl'))
  const add = (key: string, what: string): void => {
    list.appendChild(document.createElement('dt')).textContent = KEY_SYMBOLS[key] ?? key
    list.appendChild(document.createElement('dd')).textContent = what
  }
  for (const target of document.querySelectorAll<HTMLElement>('[data-key]'))
    add(target.dataset['key'] ?? '', nameOf(target))
  const has = (selector: string): boolean => document.querySelector(selector) !== null
  if (has(ROWS)) add('j, k', 'Next, previous row')
  if (has('tr .sheet')) add('p', 'PDF of a row')
  if (has('.source')) add('l', 'Go to a line')
  if (has('.source .marked')) add('n, N', 'Next, previous note')
  add('?', 'This list')
  add('Esc', 'Close')
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

function nameOf(target: HTMLElement): string {
  const label = target instanceof HTMLInputElement ? target.labels?.[0]?.textContent : null
  const summary = target.querySelector('summary')?.textContent
  return (target.title || (target.getAttribute('aria-label') ?? label ?? summary ?? target.textContent)).trim()
}

function escape(): void {
  const open = document.querySelector<HTMLDetailsElement>('details[data-menu][open]')
  if (open !== null) {
    open.open = false
    open.querySelector('summary')?.focus()
  } else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
