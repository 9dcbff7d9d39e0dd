import { sendRequest } from '../send-request.ts'

/** The value of a fact on a server; null = the server did not answer. */
export async function readFact(origin: string, fact: string): Promise<string | null> {
  const [kind = '', address = '', name = ''] = fact.split(' ')
  const { target, headers = {}, value } = QUESTIONS[kind]?.(address, name) ?? unknown(fact)
  // Rejects while the server is not running.
  const response = await sendRequest(origin, { target, headers }).catch(() => null)
  if (response === null || response.status >= 500) return null
  return value(response)
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly body: unknown
}

interface Question {
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly value: (answer: Answer) => string
}

/** Questions by kind of fact. The repositories are public. */
const QUESTIONS: Readonly<Record<string, (address: string, name: string) => Question>> = {
  repository: (address) => ({
    target: `/api/v3/repos/${address}`,
    value: ({ status }) => (status === 200 ? 'present' : 'absent'),
  }),
  description: (address) => ({
    target: `/api/v3/repos/${address}`,
    value: ({ body }) => (body as { description?: string | null } | null)?.description ?? 'absent',
  }),
  branch: (address) => ({
    target: `/api/v3/repos/${address}/branches/pushed`,
    value: ({ body }) => (body as { commit?: { sha?: string } } | null)?.commit?.sha ?? 'absent',
  }),
  tag: (address, name) => ({
    target: `/api/v3/repos/${address}/tags?per_page=100`,
    value: ({ body }) =>
      Array.isArray(body) && body.some((tag: { name?: string }) => tag.name === name) ? 'present' : 'absent',
  }),
  file: (address) => ({
    target: `/${address}/raw/main/README.md`,
    value: ({ status, text }) => (status === 200 ? text.trim() : status === 404 ? 'absent' : `status ${status}`),
  }),
  name: (login) => ({
    target: `/api/v3/users/${login}`,
    value: ({ body }) => (body as { name?: string | null } | null)?.name ?? 'absent',
  }),
  token: (text) => ({
    target: '/api/v3/user',
    headers: { authorization: `Bearer ${text}` },
    value: ({ status }) => (status === 200 ? 'valid' : 'revoked'),
  }),
  share: (text) => ({ target: `/s/${text}`, value: ({ status }) => (status === 200 ? 'valid' : 'revoked') }),
}

function unknown(fact: string): never {
  throw new Error(`No question for "${fact}".`)
}
