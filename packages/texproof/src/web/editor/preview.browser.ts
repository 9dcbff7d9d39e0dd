/**
 * The live preview: compiles the drafts when they are stored, and shows the PDF beside the source. The edited page comes
 * first; of the whole document, only changed pages are drawn again.
 */

/** What the server sends while it compiles. */
type PreviewEvent =
  | { readonly kind: 'page'; readonly file: string; readonly firstPage: number; readonly editedPage: number }
  | {
      readonly kind: 'compiled'
      /** Address of the PDF; null = TeX made none. */
      readonly file: string | null
      /** Address of the PDF that `changedPages` compares with. */
      readonly previousFile: string | null
      readonly changedPages: readonly number[]
      readonly problems: readonly unknown[]
      readonly errorCount: number
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }

/** What the editor offers to the preview. */
interface PreviewedText {
  readonly form: HTMLFormElement
  readonly address: string
  /** Line of the last edit. */
  editedLine(): number
  showProblems(problems: readonly unknown[]): void
}

/**
 * While its author types on, a preview is soon replaced. Requests that nobody waits for would slow down the typing, and keep
 * the server from reading ahead.
 */
const TYPING_PAUSE_MS = 250

/** Requests previews: at once, or when typing pauses if it replaces another one. Call the result after every stored draft. */
export function wirePreview(previewed: PreviewedText): () => void {
  let request: AbortController | null = null
  let pause: ReturnType<typeof setTimeout> | undefined

  const start = async (): Promise<void> => {
    pause = undefined
    const own = new AbortController()
    request = own
    await follow(previewed, own.signal)
    if (request === own) request = null
  }

  return () => {
    const isReplaced = request !== null || pause !== undefined
    request?.abort()
    request = null
    clearTimeout(pause)
    say('Compiling…')
    if (isReplaced) pause = setTimeout(() => void start(), TYPING_PAUSE_MS)
    else void start()
  }
}

/** Shows the events of one compile. */
async function follow({ form, address, editedLine, showProblems }: PreviewedText, signal: AbortSignal): Promise<void> {
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'doc'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  body.set('edited', String(editedLine()))
  try {
    const answer = await fetch(address, { method: 'POST', body, redirect: 'manual', signal })
    if (answer.status !== 200 || answer.body === null) return say('No preview')
    for await (const event of readEvents(answer.body)) {
      if (signal.aborted) return
      if (event.kind === 'refused') say(event.message)
      if (event.kind === 'page') showPage(event)
      if (event.kind !== 'compiled') continue
      showProblems(event.problems)
      showDocument(event)
    }
  } catch {
    // Replaced by a newer preview, or no network: the next draft requests another one.
  }
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

function showPage({ file, firstPage, editedPage }: Extract<PreviewEvent, { kind: 'page' }>): void {
  const detail = { file, firstPage, editedPage }
  document.querySelector('[data-viewer]')?.dispatchEvent(new CustomEvent('pdf-page', { detail }))
}

/** Shows the new PDF at the position of the old one; without one, the old pages stay and are dimmed. */
function showDocument(event: Extract<PreviewEvent, { kind: 'compiled' }>): void {
  const { file, previousFile, changedPages, errorCount } = event
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  const errors = errorCount === 1 ? '1 error' : `${errorCount} errors`
  say(errorCount === 0 ? 'Preview up to date' : file === null ? `No PDF: ${errors}` : `Preview with ${errors}`)
  if (viewer === null) return
  viewer.toggleAttribute('data-stale', file === null)
  if (file === null) return
  const detail = viewer.dataset['file'] === previousFile ? { changedPages } : null
  viewer.dataset['file'] = file
  viewer.dataset['synctex'] = file.replace(/\.pdf$/, '/synctex')
  viewer.dispatchEvent(new CustomEvent('pdf-changed', { detail }))
}

function say(text: string): void {
  const status = document.querySelector('[data-preview-status]')
  if (status !== null && status.textContent !== text) status.textContent = text
}
