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

/** Keys are off while typing, with a modifier, and where the reader has turned them off. */
function onKey(event: KeyboardEvent): void {
  if (event.key === 'Escape') return escape()
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (document.documentElement.dataset['keys'] === 'off') return
  const target = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key)}"]`)
  if (target === null) return
  event.preventDefault()
  if (target instanceof HTMLInputElement) target.focus()
  else if (target instanceof HTMLDetailsElement) {
    target.open = !target.open
    target.querySelector('summary')?.focus()
  } else target.click()
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
