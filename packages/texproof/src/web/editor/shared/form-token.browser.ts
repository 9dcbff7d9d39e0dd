/** The token that every form needs. It belongs to the session: after signing in again, the server refuses the old one. */

const TOKENS = 'input[name=form_token]'

/**
 * The form of a new copy of this page, and where it is now. Null without a network, a session or access, and if another
 * user has signed in, who must not send the text of this page.
 */
export async function fetchEditForm(): Promise<{ readonly element: HTMLElement; readonly page: string } | null> {
  const copy = await fetchPage()
  const element = copy?.page.querySelector<HTMLElement>('[data-edit-form]') ?? null
  const user = document.querySelector<HTMLElement>('[data-edit-form]')?.dataset['user']
  return copy === null || element === null || element.dataset['user'] !== user ? null : { element, page: copy.url }
}

/** Why the text of this page can no longer be changed, as the server states it to this user. */
export async function findRefusal(): Promise<string> {
  const reason = (await fetchPage())?.page.querySelector('[data-reason]')?.textContent.trim()
  return reason ?? 'The repository was deleted, or you no longer have access to it.'
}

/** Status of an editor whose text can no longer be stored. */
export async function describeLostAccess(): Promise<string> {
  return `${await findRefusal()} Copy your text before you leave this page.`
}

/** A new copy of this page; null without a network. */
async function fetchPage(): Promise<{ readonly page: Document; readonly url: string } | null> {
  const answer = await fetch(`${location.pathname}${location.search}`, { headers: { accept: 'text/html' } }).catch(
    () => null, // No network.
  )
  if (answer === null) return null
  return { page: new DOMParser().parseFromString(await answer.text(), 'text/html'), url: answer.url }
}

/** Address of a file after the rename or transfer of its repository. */
export interface MovedPage {
  readonly page: string
  /** Address of the connection or the draft. */
  readonly address: string
}

/**
 * Where this page leads to an editor with another address of the connection or the draft; null = elsewhere, such as to signing
 * in.
 */
export async function findMovedPage(kind: 'live' | 'draft', address: string): Promise<MovedPage | null> {
  const form = await fetchEditForm()
  const found = form?.element.dataset[kind]
  return form === null || found === undefined || found === address ? null : { page: form.page, address: found }
}

/** Gives all forms of this page the token of a new copy of the page. False without a network, a session or access. */
export async function renewFormTokens(): Promise<boolean> {
  const form = await fetchEditForm()
  const token = form?.element.querySelector<HTMLInputElement>(TOKENS)?.value
  if (token === undefined) return false
  for (const field of document.querySelectorAll<HTMLInputElement>(TOKENS)) field.value = token
  return true
}

/** Posts a form with its fields as they are now. If the server refuses the token, it is sent once more with a new one. */
export async function postForm(address: string, body: FormData, options: RequestInit = {}): Promise<Response> {
  const post = (): Promise<Response> => fetch(address, { method: 'POST', body, ...options })
  const answer = await post()
  if (answer.status !== 403 || !(await renewFormTokens())) return answer
  body.set('form_token', document.querySelector<HTMLInputElement>(TOKENS)?.value ?? '')
  return post()
}
