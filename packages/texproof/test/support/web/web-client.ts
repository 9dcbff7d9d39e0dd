import { sendRequest } from '../send-request.ts'
import type { RawResponse } from '../send-request.ts'

/** A browser without JavaScript: keeps cookies, and sends the form token of the page it loaded. */
export interface WebClient {
  readonly cookies: Map<string, string>
  get(path: string): Promise<RawResponse>
  /** Loads `page`, then sends its form's token with the fields to `action`. */
  submit(page: string, action: string, fields: Readonly<Record<string, string>>): Promise<RawResponse>
  /** Sends exactly these fields, with these headers instead of the headers of a browser. */
  post(
    action: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<RawResponse>
}

/** The hidden token of the last form of a page. */
export function formTokenOf(page: string): string {
  return [...page.matchAll(/name="form_token" value="([^"]+)"/g)].at(-1)?.[1] ?? ''
}

/** A page without its form tokens and style nonces, which differ in every response. */
export function withoutFormTokens(page: string): string {
  return page.replaceAll(/(name="form_token" value="|nonce=")[^"]+/g, '$1')
}

/** Opens a client without cookies. */
export function openWebClient(origin: string): WebClient {
  const cookies = new Map<string, string>()
  const cookieHeader = (): Record<string, string> =>
    cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  const keep = (response: RawResponse): RawResponse => {
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const client: WebClient = {
    cookies,
    get: async (target) => keep(await sendRequest(origin, { target, headers: cookieHeader() })),
    async submit(page, action, fields) {
      const token = formTokenOf((await client.get(page)).text)
      return client.post(action, { form_token: token, ...fields })
    },
    post: async (target, fields, headers = { origin }) =>
      keep(
        await sendRequest(origin, {
          method: 'POST',
          target,
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...cookieHeader(), ...headers },
          body: new URLSearchParams(fields).toString(),
        }),
      ),
  }
  return client
}
