/** The live preview: compiles the drafts when they are stored, and shows the PDF beside the source. */

/** What the server responds to a preview. */
interface Preview {
  readonly kind: 'compiled' | 'cancelled' | 'refused'
  /** Address of the PDF; null = TeX made none. */
  readonly file?: string | null
  readonly problems?: readonly unknown[]
  readonly errorCount?: number
  readonly message?: string
}

/** Requests previews. Call the result after every stored draft. */
export function wirePreview(
  form: HTMLFormElement,
  address: string,
  showProblems: (problems: readonly unknown[]) => void,
): () => void {
  let request: AbortController | null = null

  return () => {
    request?.abort()
    const own = new AbortController()
    request = own
    say('Compiling…')
    void ask(form, address, own.signal).then((preview) => {
      if (request !== own || preview === null || preview.kind === 'cancelled') return
      if (preview.kind === 'refused') return say(preview.message ?? '')
      showProblems(preview.problems ?? [])
      show(preview)
    })
  }
}

async function ask(form: HTMLFormElement, address: string, signal: AbortSignal): Promise<Preview | null> {
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'doc'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  try {
    const answer = await fetch(address, { method: 'POST', body, redirect: 'manual', signal })
    if (answer.status === 200) return (await answer.json()) as Preview
    say('No preview')
  } catch {
    // Replaced by a newer preview, or no network: the next draft requests another one.
  }
  return null
}

/** Shows the new PDF at the position of the old one; without one, the old pages stay and are dimmed. */
function show({ file = null, errorCount = 0 }: Preview): void {
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  const errors = errorCount === 1 ? '1 error' : `${errorCount} errors`
  say(errorCount === 0 ? 'Preview up to date' : file === null ? `No PDF: ${errors}` : `Preview with ${errors}`)
  if (viewer === null) return
  viewer.toggleAttribute('data-stale', file === null)
  if (file === null || viewer.dataset['file'] === file) return
  viewer.dataset['file'] = file
  viewer.dispatchEvent(new Event('pdf-changed'))
}

function say(text: string): void {
  const status = document.querySelector('[data-preview-status]')
  if (status !== null && status.textContent !== text) status.textContent = text
}
