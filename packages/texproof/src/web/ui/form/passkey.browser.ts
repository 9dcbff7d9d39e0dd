/**
 * Requests a passkey from the browser before a form is sent: fetches the options from the host and puts the credential
 * into the form. Without script or support for passkeys the button is hidden.
 */

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey-form]')) {
  const part = form.querySelector<HTMLElement>('[data-passkey-part]')
  const problem = form.querySelector<HTMLElement>('[data-passkey-problem]')
  if (part === null || problem === null) continue
  if (!('PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential)) {
    if (part.querySelector('[data-passkey="create"]') !== null)
      showProblem(problem, 'This browser does not support passkeys, or the page was not loaded over HTTPS.')
    continue
  }
  part.hidden = false
  form.addEventListener('submit', (event) => {
    const button = event.submitter
    if (!(button instanceof HTMLButtonElement) || button.dataset['passkey'] === undefined) return
    event.preventDefault()
    button.disabled = true
    problem.hidden = true
    answer(form, button)
      .catch((error: unknown) => showProblem(problem, explain(error)))
      .finally(() => (button.disabled = false))
  })
}

async function answer(form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const response = await fetch(button.dataset['question'] ?? '', {
    method: 'POST',
    body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
    headers: { accept: 'application/json' },
  })
  if (!response.headers.get('content-type')?.startsWith('application/json'))
    throw new Error(
      response.status === 503 ? 'The host is busy. Try again in 5 s.' : 'The page was open for too long. Reload it.',
    )
  const question = await response.json()
  if (!response.ok) throw new Error(question.problem)
  const credential = await ask(button.dataset['passkey'], question)
  const field = form.querySelector<HTMLInputElement>('[data-passkey-answer]')
  if (!(credential instanceof PublicKeyCredential) || field === null) return
  field.value = JSON.stringify(credential)
  // The password is no longer needed.
  form.querySelectorAll<HTMLInputElement>('[type="password"]').forEach((input) => (input.disabled = true))
  form.action = button.formAction
  form.submit()
}

type Question = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON

function ask(act: string | undefined, question: Question): Promise<Credential | null> {
  const name = question.rpId ?? question.rp.id
  if (name !== location.hostname)
    throw new Error(`Passkeys work at ${name} only, and this page is open at ${location.hostname}.`)
  return act === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(question) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(question) })
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return 'No passkey was used.'
  switch (error.name) {
    case 'NotAllowedError':
      return 'No passkey was used: the request was cancelled or timed out.'
    case 'InvalidStateError':
      return 'This device already has a passkey for this account.'
    case 'TypeError':
      return 'The host is not responding. Try again in a minute.'
    default:
      return error.message
  }
}

function showProblem(element: HTMLElement, words: string): void {
  element.textContent = words
  element.hidden = false
}
