/**
 * The live preview: compiles the drafts when they are stored, and shows the PDF beside the source. The edited page comes
 * first; of the whole document, only changed pages are drawn again.
 */

import type { SourcePlace } from './references.browser.ts'
import type { SentMessages } from './shared/shared-text.browser.ts'

/** Events that the server sends while it compiles. */
type PreviewEvent =
  | {
      readonly kind: 'page'
      readonly file: string
      /** The PDF in base64; null = only `file` has it. */
      readonly bytes: string | null
      readonly firstPage: number
      readonly editedPage: number
    }
  | {
      readonly kind: 'compiled'
      /** Address of the PDF; null = TeX made none. */
      readonly file: string | null
      /** The PDF in base64; null = only `file` has it. */
      readonly bytes: string | null
      /** Address of the PDF that `changedPages` compares with. */
      readonly previousFile: string | null
      readonly changedPages: readonly number[]
      readonly problems: readonly unknown[]
      /** The list of errors above the text, as HTML; empty = the file has none. */
      readonly notes: string
      readonly firstError: SourcePlace | null
      readonly errorCount: number
      /** Paths of drafts that the preview lacks. */
      readonly omittedDrafts: readonly string[]
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }

/** Editor interface used by the preview. */
interface PreviewedText {
  readonly form: HTMLFormElement
  readonly address: string
  /** Line of the last edit. */
  editedLine(): number
  /** Messages that the server must store first; null = none. */
  sent(): SentMessages | null
  showProblems(problems: readonly unknown[]): void
  /** Shows a line of this file or another one. */
  openPlace(place: SourcePlace): void
}

/**
 * While its author types on, a preview is soon replaced. Obsolete requests would slow down the typing, and keep
 * the server from reading ahead.
 */
const TYPING_PAUSE_MS = 250

/** Two windows of a document cancel the previews of each other if these differ: after the last retry, the newest one wins. */
const RETRY_AFTER_MS = [1_000, 2_000, 5_000, 10_000, 30_000]

const FAILURES = {
  cancelled: 'No preview: another window is compiling this document. Press Ctrl+Enter to compile here.',
  unreachable: 'No preview: no connection',
}

/** `shown` = the server has answered. `cancelled` = by a preview of another window. */
type Outcome = 'shown' | keyof typeof FAILURES

/** Requests a preview. The author's own changes replace a running preview; the changes of others wait for its end. */
export type Compile = (changed: 'here' | 'elsewhere') => void

/**
 * Requests previews: at once, or when typing pauses if it replaces another one. Call the result after every change.
 * A hidden tab compiles when it is shown: tabs of a document share one preview, which belongs to the tab in use.
 */
export function wirePreview(previewed: PreviewedText): Compile {
  let running: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Whether there are changes that neither a shown nor the running preview contains. */
  let isOutdated = false
  let failures = 0

  const start = async (): Promise<void> => {
    timer = undefined
    isOutdated = document.hidden
    if (isOutdated) return
    say('Compiling…')
    const own = new AbortController()
    running = own
    const outcome = await follow(previewed, own.signal)
    if (running !== own) return
    running = null
    if (outcome !== 'shown') return retry(outcome)
    failures = 0
    previewed.form.dispatchEvent(new Event('previewed'))
    if (isOutdated) await start()
  }

  const retry = (outcome: keyof typeof FAILURES): void => {
    const delayMs = RETRY_AFTER_MS[failures]
    failures += 1
    if (delayMs === undefined || outcome === 'unreachable') say(FAILURES[outcome])
    if (delayMs === undefined) previewed.form.dispatchEvent(new Event('previewed'))
    else timer = setTimeout(() => void start(), delayMs)
  }

  const isIdle = (): boolean => running === null && timer === undefined
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && isOutdated && isIdle()) void start()
  })
  addEventListener('online', () => {
    if (failures === 0 || running !== null) return
    clearTimeout(timer)
    void start()
  })

  return (changed) => {
    const isReplaced = !isIdle()
    if (isReplaced && changed === 'elsewhere') {
      isOutdated = true
      return
    }
    running?.abort()
    running = null
    clearTimeout(timer)
    failures = 0
    say('Compiling…')
    if (isReplaced) timer = setTimeout(() => void start(), TYPING_PAUSE_MS)
    else void start()
  }
}

/** Shows the events of one compile. */
async function follow(
  { form, address, editedLine, sent, showProblems, openPlace }: PreviewedText,
  signal: AbortSignal,
): Promise<Outcome> {
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'doc'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  body.set('edited', String(editedLine()))
  for (const [name, value] of Object.entries(sent() ?? {})) body.set(name, String(value))
  try {
    const answer = await fetch(address, { method: 'POST', body, redirect: 'manual', signal })
    // A proxy, while the server restarts.
    if (answer.status >= 500) return 'unreachable'
    if (answer.status !== 200 || answer.body === null) {
      say('No preview')
      return 'shown'
    }
    for await (const event of readEvents(answer.body)) {
      if (event.kind === 'cancelled') return 'cancelled'
      if (event.kind === 'page') {
        showPage(event)
        continue
      }
      if (event.kind === 'refused') say(event.message)
      else {
        showProblems(event.problems)
        replaceNotes(event.notes)
        say(...describe(event, openPlace))
        showDocument(event)
      }
      return 'shown'
    }
  } catch {
    // No network. A preview that was replaced also ends here; its outcome is ignored.
  }
  return 'unreachable'
}

/** The data of server-sent events. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<PreviewEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (text + part.value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) if (event.startsWith('data: ')) yield JSON.parse(event.slice(6)) as PreviewEvent
  }
}

function showPage({ file, bytes, firstPage, editedPage }: Extract<PreviewEvent, { kind: 'page' }>): void {
  const detail = { file, bytes: decode(bytes), firstPage, editedPage }
  document.querySelector('[data-viewer]')?.dispatchEvent(new CustomEvent('pdf-page', { detail }))
}

/** The errors of the build above the text become the errors of the preview. New ones are only on their lines: the text would move while its author types. */
function replaceNotes(notes: string): void {
  const old = document.querySelector<HTMLDetailsElement>('.notes-above')
  if (old === null) return
  const fresh = new DOMParser().parseFromString(notes, 'text/html').querySelector<HTMLDetailsElement>('.notes-above')
  if (fresh === null) return old.remove()
  fresh.open = old.open
  old.replaceWith(fresh)
}

/** Shows the new PDF at the position of the old one; without one, the old pages stay and are dimmed. */
function showDocument(event: Extract<PreviewEvent, { kind: 'compiled' }>): void {
  const { file, bytes, previousFile, changedPages } = event
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  if (viewer === null) return
  viewer.toggleAttribute('data-stale', file === null)
  if (file === null) return
  // The first PDF of the document.
  document.querySelector('[data-without-viewer]')?.remove()
  viewer.hidden = false
  const detail = viewer.dataset['file'] === previousFile ? { bytes: decode(bytes), changedPages } : null
  viewer.dataset['file'] = file
  viewer.dataset['synctex'] = file.replace(/\.pdf$/, '/synctex')
  viewer.dispatchEvent(new CustomEvent('pdf-changed', { detail }))
}

/** null = the PDF is requested: older browsers decode so slowly that this is no slower. */
function decode(bytes: string | null): Uint8Array | null {
  const { fromBase64 } = Uint8Array as { readonly fromBase64?: (text: string) => Uint8Array }
  return bytes === null || fromBase64 === undefined ? null : fromBase64(bytes)
}

/** The state of the preview; the number of errors is a link to the first one. */
function describe(
  { file, firstError, errorCount, omittedDrafts }: Extract<PreviewEvent, { kind: 'compiled' }>,
  openPlace: PreviewedText['openPlace'],
): readonly (string | HTMLElement)[] {
  const count = errorCount === 1 ? '1 error' : `${errorCount} errors`
  const errors = firstError === null ? count : buttonTo(firstError, count, openPlace)
  const state = errorCount === 0 ? ['Preview up to date'] : [file === null ? 'No PDF: ' : 'Preview with ', errors]
  const [omitted] = omittedDrafts
  if (omitted === undefined) return state
  const others = omittedDrafts.length === 1 ? '' : ` and ${omittedDrafts.length - 1} more`
  return [
    ...state,
    `, without the draft of ${omitted}${others}: the branch has a folder in place of a file, or the reverse. Commit the draft under another name, or discard it.`,
  ]
}

function buttonTo(place: SourcePlace, text: string, openPlace: PreviewedText['openPlace']): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain-button'
  button.title = `${place.path}:${place.line}`
  button.textContent = text
  button.addEventListener('click', () => openPlace(place))
  return button
}

/** Shows the state, unless it is the same text: screen readers would repeat it. */
function say(...parts: readonly (string | HTMLElement)[]): void {
  const status = document.querySelector('[data-preview-status]')
  const isSame = parts.every((part) => typeof part === 'string') && status?.textContent === parts.join('')
  if (!isSame) status?.replaceChildren(...parts)
}
