/**
 * API calls from the documentation page: same origin, authenticated by the token on the page alone. Responses are shown
 * as text. The token is not stored.
 */

/** Longer responses are slow to lay out. */
const MAX_SHOWN = 100_000
const SHOWN_HEADERS = ['Link', 'X-Service-Media-Type', 'X-Service-Request-Id']

for (const part of document.querySelectorAll<HTMLElement>('[data-needs-script]')) part.hidden = false
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })

async function send(form: HTMLFormElement): Promise<void> {
  const target = targetOf(form)
  const token = document.querySelector<HTMLInputElement>('#token')?.value.trim() ?? ''
  if (!/^[!-~]*$/.test(token)) return show(form, 'The token above contains invalid characters. Nothing was sent.')
  const button = form.querySelector('button')
  button?.setAttribute('disabled', '')
  try {
    const response = await fetch(target, {
      // The API accepts tokens only; without one the call is anonymous.
      credentials: 'omit',
      cache: 'no-store',
      headers: token === '' ? {} : { Authorization: `token ${token}` },
    })
    show(form, `GET ${target}\n${describe(response)}`, readable(await response.text()))
  } catch {
    // The browser does not report the reason, so the message explains it.
    show(form, `GET ${target}\nNo response: the host is unreachable.`)
  } finally {
    button?.removeAttribute('disabled')
  }
}

/** The path with its fields filled in; the remaining fields become the query. */
function targetOf(form: HTMLFormElement): string {
  const query = new URLSearchParams()
  let path = form.dataset['try'] ?? ''
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[data-place]')) {
    const value = field.value.trim()
    if (field.dataset['place'] === 'path')
      path = path
        .replace(`{${field.name}}`, () => encodeURIComponent(value))
        .replace(`{+${field.name}}`, () => value.split('/').map(encodeURIComponent).join('/'))
    else if (value !== '') query.set(field.name, value)
  }
  return `/api/v3${path}${query.size === 0 ? '' : `?${query}`}`
}

function describe({ status, statusText, headers }: Response): string {
  const lines = SHOWN_HEADERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
  return [`${status} ${statusText}`, ...lines].join('\n')
}

/** Formats JSON; other text is unchanged. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not JSON: shown unchanged.
    return text
  }
}

/** Screen readers announce the head only: the body can be long. */
function show(form: HTMLFormElement, head: string, body = ''): void {
  const rest = body.length - MAX_SHOWN
  const shown = rest > 0 ? `${body.slice(0, MAX_SHOWN)}\n… ${rest} more characters` : body
  const { parentElement: panel } = form
  panel?.querySelector('.try-head')?.replaceChildren(asBlock(head))
  panel?.querySelector('.try-body')?.replaceChildren(...(shown === '' ? [] : [asBlock(shown)]))
}

function asBlock(text: string): HTMLElement {
  const block = document.createElement('pre')
  block.tabIndex = 0
  block.textContent = text
  return block
}
