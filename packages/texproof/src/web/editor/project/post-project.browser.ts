import { findRefusal, postForm } from '../shared/form-token.browser.ts'

/** The server's response to a project request: a result, or a message for the user. */
export type ProjectAnswer<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'cancelled' }

/** Posts fields with the token and the branch of the editor's form. */
export async function postProject<Result>(
  form: HTMLFormElement,
  address: string,
  { fields, signal }: { readonly fields: readonly (readonly [string, string])[]; readonly signal?: AbortSignal },
): Promise<ProjectAnswer<Result>> {
  const body = new FormData()
  for (const name of ['form_token', 'branch'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  for (const [name, value] of fields) body.append(name, value)
  try {
    const answer = await postForm(address, body, { redirect: 'manual', signal: signal ?? null })
    if (answer.ok) return { kind: 'done', result: (await answer.json()) as Result }
    if (answer.status === 422) return { kind: 'problem', ...((await answer.json()) as { problem: string }) }
    if (answer.type === 'opaqueredirect' || answer.status === 401 || answer.status === 403)
      return { kind: 'problem', problem: 'You are signed out. Sign in in another tab, then reload the page.' }
    if (answer.status === 404) return { kind: 'problem', problem: await findRefusal() }
    return { kind: 'problem', problem: 'The server is busy. Try again.' }
  } catch {
    // Cancelled by a newer request, or no network.
    if (signal?.aborted === true) return { kind: 'cancelled' }
    return { kind: 'problem', problem: 'No connection. Try again.' }
  }
}
