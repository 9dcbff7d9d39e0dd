import { setTimeout as delay } from 'node:timers/promises'

import type { RawResponse } from '../send-request.ts'
import { formTokenOf, openWebClient } from '../web/web-client.ts'

/** Answers of all authors. */
export interface Answers {
  acknowledged: number
  /** Other outcomes by cause: a status, or `cut` for connections that ended without an answer. */
  readonly others: Map<string, number>
  /** Errors that clients reported for connections that ended without an answer. */
  readonly cuts: string[]
  /** Answers that are neither success nor a documented 503. */
  readonly wrong: string[]
}

/** Requests of a signed-in user. A response without the expected status is counted, and null. */
export interface AuthorSession {
  get(path: string): Promise<RawResponse | null>
  /** Sends a form. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<RawResponse | null>
  /** Like `post`, for a request that was sent in another way. */
  send(sending: Promise<RawResponse>, wanted: number): Promise<RawResponse | null>
  /** Counts a failure; null = there is no response to show. */
  note(cause: string, response: RawResponse | null): void
}

const PAUSE_MS = 200
/** Header of browsers. The servers of a test have different base URLs, so an `Origin` matches one of them only. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }
/** A conflict with the own edit before, which another server has completed. */
const CONFLICT = 409

/** Signs in. */
export async function openAuthorSession(options: {
  readonly origin: string
  readonly login: string
  readonly password: string
  readonly answers: Answers
}): Promise<AuthorSession> {
  const { origin, login, answers } = options
  const web = openWebClient(origin)
  const signIn = { name: login, password: options.password, form_token: formTokenOf((await web.get('/login')).text) }
  await web.post('/login', signIn, SAME_ORIGIN)
  const formToken = formTokenOf((await web.get('/settings/profile')).text)

  async function send(sending: Promise<RawResponse>, wanted: number): Promise<RawResponse | null> {
    // Rejects when the server is killed.
    const response = await sending.catch((error: unknown) => {
      answers.cuts.push(`${login}: ${String(error)}`)
      return null
    })
    if (response?.status === wanted) return response
    note(response === null ? 'cut' : String(response.status), response)
    await delay(PAUSE_MS)
    return null
  }

  function note(cause: string, response: RawResponse | null): void {
    answers.others.set(cause, (answers.others.get(cause) ?? 0) + 1)
    const isDocumented = response?.status === 503 && response.headers['retry-after'] !== undefined
    if (response === null || isDocumented || response.status === CONFLICT) return
    const main = response.text.slice(Math.max(0, response.text.indexOf('<main')))
    answers.wrong.push(`${cause} ${login}: ${main.replaceAll(/(?:<[^>]*>|\s)+/g, ' ').slice(0, 300)}`)
  }

  return {
    get: (path) => send(web.get(path), 200),
    post: (path, fields) => send(web.post(path, { form_token: formToken, ...fields }, SAME_ORIGIN), 303),
    send,
    note,
  }
}
