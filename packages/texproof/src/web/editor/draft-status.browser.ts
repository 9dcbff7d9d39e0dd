/** The state of the draft in the toolbar of the editor. */

/** Longer messages get a line of their own on a phone, and are shown beside a question. */
const MAX_SHORT = 14

/** Duration for which a notice is shown. */
const NOTICE_MS = 4_000

/** Message for a browser that cannot move the changes to the new address. */
export const REPOSITORY_RENAMED =
  'This repository was renamed, and this browser cannot store your changes. Copy your text, then reload the page.'

/** Message for a file that a push or a co-author has moved. */
export const FILE_MISSING = 'The file or its branch was renamed or deleted. Press Commit to save your text elsewhere.'

type Progress = '' | 'Saving…' | 'Draft saved' | KeptState

/** Location of the changes while there is no connection. */
type KeptState =
  | 'Offline. Your changes are kept in this browser.'
  | 'Offline. This browser cannot store your changes. Keep this page open, or copy your text.'

interface Message {
  readonly text: string
  readonly link: HTMLElement | null
}

interface Question {
  readonly text: string
  readonly buttons: readonly HTMLElement[]
}

/** The newest message. Null = what the page contains. */
let message: Message | null = null

/** Message that applies until the page is closed; null = none. */
let reminder: Message | null = null

/** Questions in the order of their answers. The first one is shown until it is answered. */
let questions: readonly Question[] = []

/** The current notice, and the saved state of the draft. */
let notice: { readonly text: string; progress: Progress | null } | null = null

/** Shows a message about what the author just did. Saving the draft, which follows at once, replaces it only later. */
export function sayNotice(text: string): void {
  const own = { text, progress: null as Progress | null }
  notice = own
  say(text)
  setTimeout(() => {
    if (notice !== own) return
    notice = null
    if (own.progress !== null && message?.text === text) say(own.progress)
  }, NOTICE_MS)
}

/** Shows the saved state of the draft, after the current notice. */
export function sayProgress(text: Progress): void {
  if (notice === null || message?.text !== notice.text) say(text)
  else notice.progress = text
}

/** Shows a message, and a link after it. While a question is open, the progress of the draft is shown only later. */
export function say(text: string, link: HTMLElement | null = null): void {
  // Replacing a link by the same one would take the focus away, and screen readers would repeat the message. Before the
  // first message, an empty one leaves when the draft was saved.
  if ((message?.text ?? '') === text && message?.link?.outerHTML === link?.outerHTML) return
  message = { text, link }
  show()
}

/** Shows a text, and a link after it, before every message, until the page is closed. An empty text ends it. */
export function remind(text: string, link: HTMLElement | null = null): void {
  reminder = text === '' ? null : { text, link }
  show()
}

/** What the toolbar shows: replacing a question by the same one would take the focus away from its buttons. */
let shown: {
  readonly text: string
  readonly links: readonly (HTMLElement | null | undefined)[]
  readonly question: Question | null
} | null = null

/** Shows the newest message, and the first question after it. */
function show(): void {
  const status = document.querySelector('[data-draft-status]')
  if (status === null) return
  const question = questions[0] ?? null
  const isProgress = message === null || message.text.length <= MAX_SHORT
  const said = question && isProgress ? null : message
  const parts = [reminder, said].flatMap((part) => (part === null || part.text === '' ? [] : [part]))
  const text = parts.map((part) => part.text).join(' ')
  const links = [reminder?.link, said?.link]
  if (shown?.text === text && shown.links.every((link, at) => link === links[at]) && shown.question === question) return
  shown = { text, links, question }
  status.toggleAttribute('data-long', question !== null || text.length > MAX_SHORT)
  const contents = parts.flatMap((part) => (part.link === null ? [part.text] : [part.text, part.link]))
  status.replaceChildren(...contents.flatMap((content, at) => (at === 0 ? [content] : [' ', content])))
  if (question !== null) status.append(text === '' ? '' : ' ', `${question.text} `, ...question.buttons)
}

/** Shows or hides the button that discards the draft. */
export function showDiscard(isShown: boolean): void {
  const form = document.querySelector<HTMLElement>('[data-discard-draft]')
  if (form !== null) form.hidden = !isShown
}

/** Asks a question in place of the state, after the questions that are open already. */
export function offer(text: string, choices: readonly (readonly [label: string, act: () => void])[]): void {
  const buttons = choices.map(([label, act]) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'drawn-button'
    button.textContent = label
    button.addEventListener('click', () => {
      questions = questions.slice(1)
      show()
      act()
    })
    return button
  })
  questions = [...questions, { text, buttons }]
  if (questions.length === 1) show()
}
