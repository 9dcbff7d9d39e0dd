/** The state of the draft in the toolbar of the editor. */

/** Longer messages get a line of their own on a phone. */
const MAX_SHORT = 14

/** Shows a message, and a link after it. */
export function say(text: string, link: HTMLElement | null = null): void {
  const status = document.querySelector('[data-draft-status]')
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
  const status = document.querySelector('[data-draft-status]')
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
