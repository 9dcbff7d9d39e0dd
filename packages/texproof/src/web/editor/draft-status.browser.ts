/** The state of the draft in the toolbar of the editor. */

/** Longer messages get a line of their own on a phone. */
const MAX_SHORT = 14

/** Time to read a notice. */
const NOTICE_MS = 4_000

type Progress = '' | 'Saving…' | 'Draft saved'

/** The notice that is to be read, and how far the draft is saved meanwhile. */
let notice: { readonly text: string; progress: Progress | null } | null = null

/** Shows a message about what the author just did. Saving the draft, which follows at once, replaces it only later. */
export function sayNotice(text: string): void {
  const own = { text, progress: null as Progress | null }
  notice = own
  say(text)
  setTimeout(() => {
    if (notice !== own) return
    notice = null
    if (own.progress !== null && statusElement()?.textContent === text) say(own.progress)
  }, NOTICE_MS)
}

/** Shows how far the draft is saved, after the notice that is to be read. */
export function sayProgress(text: Progress): void {
  if (notice === null || statusElement()?.textContent !== notice.text) say(text)
  else notice.progress = text
}

function statusElement(): Element | null {
  return document.querySelector('[data-draft-status]')
}

/** Shows a message, and a link after it. */
export function say(text: string, link: HTMLElement | null = null): void {
  const status = statusElement()
  if (status === null || (status.textContent === text && link === null)) return
  status.toggleAttribute('data-long', text.length > MAX_SHORT)
  status.replaceChildren(text, ...(link === null ? [] : [' ', link]))
}

/** Shows or hides the button that discards the draft. */
export function showDiscard(isShown: boolean): void {
  const form = document.querySelector<HTMLElement>('[data-discard-draft]')
  if (form !== null) form.hidden = !isShown
}

/** Asks a question in place of the state. */
export function offer(question: string, choices: readonly (readonly [label: string, act: () => void])[]): void {
  const status = statusElement()
  if (status === null) return
  status.toggleAttribute('data-long', true)
  const buttons = choices.map(([label, act]) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'drawn-button'
    button.textContent = label
    button.addEventListener('click', () => {
      status.textContent = ''
      act()
    })
    return button
  })
  status.replaceChildren(`${question} `, ...buttons)
}
