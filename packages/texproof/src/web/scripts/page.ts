/**
 * What script adds to every page: buttons that copy, keys that lead somewhere, menus that close. All of it can be done
 * without: the text to copy can be selected, the keys have links, menus close by their own summary.
 */

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', () => void copy(button))
}

document.addEventListener('click', (event) => closeMenus(event.target))
document.addEventListener('keydown', onKey)

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset['copy'] ?? '')
  const text = source instanceof HTMLInputElement ? source.value : (source?.textContent ?? '')
  await navigator.clipboard.writeText(text)
  const label = button.textContent
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = label), 1500)
}

/** Closes every open menu but the one that was clicked in. */
function closeMenus(target: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]'))
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
}

/** The first key of two, for a moment. */
let firstKey = ''

/** Keys are off while typing, with a modifier, and where the reader has turned them off. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape') return escape()
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (document.documentElement.dataset['keys'] === 'off') return
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

/** Goes down or up in a list of repositories; Enter opens the one that is reached. */
function moveRow(event: KeyboardEvent, by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  if (rows.length === 0) return
  event.preventDefault()
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement))
  rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus()
}

/** What every key does on this page, made from what can be pressed on it. */
function showKeys(): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  dialog.setAttribute('aria-label', 'Keys')
  const list = dialog.appendChild(document.createElement('dl'))
  const add = (key: string, what: string): void => {
    list.appendChild(document.createElement('dt')).textContent = key
    list.appendChild(document.createElement('dd')).textContent = what
  }
  for (const target of document.querySelectorAll<HTMLElement>('[data-key]'))
    add(target.dataset['key'] ?? '', nameOf(target))
  if (document.querySelector('[data-row]') !== null) {
    add('j, k', 'Next, previous repository')
    add('p', 'Its PDF')
  }
  add('?', 'This list')
  add('Esc', 'Close')
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

function nameOf(target: HTMLElement): string {
  const label = target instanceof HTMLInputElement ? target.labels?.[0]?.textContent : null
  const summary = target.querySelector('summary')?.textContent
  return (target.title || (label ?? summary ?? target.textContent)).trim()
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
