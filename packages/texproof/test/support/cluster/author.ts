/** A user of several servers who changes repositories, tokens and settings, and records what was acknowledged. */
import { setTimeout as delay } from 'node:timers/promises'

import { sendRequest, type RawResponse } from '../send-request.ts'
import { openAuthorSession, type Answers, type AuthorSession } from './author-session.ts'
import type { Facts } from './facts.ts'
import { readFact } from './read-fact.ts'
import { openPushingClient, type PushingClient } from './push-until.ts'

export interface Author {
  readonly login: string
  /** Its current repository, as `login/name`. */
  readonly repository: () => string
  /** One operation. Returns the fact that it has changed for certain, or null. */
  step(): Promise<string | null>
  /** Commits whose push was acknowledged. */
  readonly pushed: readonly string[]
  close(): void
}

interface AuthorOptions {
  readonly origin: string
  readonly login: string
  readonly password: string
  /** Token for git and the API. */
  readonly token: string
  readonly facts: Facts
  readonly answers: Answers
  /** Files of its pushes. */
  readonly files: Readonly<Record<string, string>>
}

/** Operations that an author repeats. Most are cheap, so that many of them coincide with a fault. */
const ROUND = [
  'describe',
  'push',
  'createToken',
  'share',
  'rename',
  'edit',
  'describe',
  'revokeToken',
  'setName',
  'unshare',
  'describe',
  'push',
  'createToken',
  'share',
  'setName',
  'edit',
  'tag',
  'revokeToken',
  'unshare',
  'replace',
] as const
const PAUSE_MS = 200

/** Signs in and creates the first repository. */
export async function openAuthor(options: AuthorOptions): Promise<Author> {
  const { origin, login, token, facts, answers } = options
  const { get, post, send, note } = await openAuthorSession(options)
  const git = await openPushingClient('', { branch: 'pushed', files: options.files })
  const tokens: { readonly name: string; readonly text: string }[] = []
  const shares: { readonly id: number; readonly text: string }[] = []
  let count = 0
  let step = 0
  let repository = ''

  /** Returns the fact if it was acknowledged. */
  function record(fact: string, value: string, isAcknowledged: boolean): string | null {
    facts.change(fact, value, isAcknowledged)
    if (isAcknowledged) answers.acknowledged += 1
    return isAcknowledged ? fact : null
  }

  const next = (prefix: string): string => `${prefix}-${(count += 1)}`

  /** Through the page and the API by turns. */
  async function create(): Promise<string | null> {
    const name = next('paper')
    const created =
      count % 2 === 0
        ? await post('/new', { name, description: '', visibility: 'public', files: 'yes' })
        : await createByApi(name)
    repository = created === null ? '' : `${login}/${name}`
    return record(`repository ${login}/${name}`, 'present', created !== null)
  }

  const createByApi = (name: string): Promise<RawResponse | null> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name, auto_init: true })
    return send(sendRequest(origin, { method: 'POST', target: '/api/v3/user/repos', headers, body }), 201)
  }

  /** The state after a change without an answer; asks until a server answers. */
  async function ask(fact: string): Promise<string> {
    for (;;) {
      const value = await readFact(origin, fact)
      if (value !== null) return value
      await delay(PAUSE_MS)
    }
  }

  const actions = {
    async describe() {
      const description = next('text')
      const done = await post(`/${repository}/settings/details`, { description })
      return record(`description ${repository}`, description, done !== null)
    },
    async setName() {
      const name = next('name')
      return record(`name ${login}`, name, (await post('/settings/profile', { name, bio: '' })) !== null)
    },
    async edit() {
      const path = `/${repository}/edit/main/README.md`
      const page = await get(path)
      if (page === null) return null
      const opened = /name="opened" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
      const text = next('text')
      const done = await post(path, { opened, path: 'README.md', text, message: '', to: 'branch' })
      return record(`file ${repository}`, text, done !== null)
    },
    async push() {
      const isDone = await git.push(`${origin.replace('//', `//${login}:${token}@`)}/${repository}.git`)
      if (!isDone) noteFailedPush(git, note, answers)
      const head = git.head()
      return head === null ? null : record(`branch ${repository}`, head, isDone)
    },
    async tag() {
      const name = next('v')
      const done = await post(`/${repository}/tags/new`, { name, message: 'Submitted', from: 'main' })
      return record(`tag ${repository} ${name}`, 'present', done !== null)
    },
    async createToken() {
      const name = next('token')
      const isMade = await post('/settings/tokens', { name, access: 'read', days: '30' })
      const page = isMade && (await get('/settings/tokens'))
      const text = /id="token" type="text" readonly value="([^"]+)"/.exec(page?.text ?? '')?.[1]
      if (text === undefined) return null
      tokens.push({ name, text })
      return record(`token ${text}`, 'valid', true)
    },
    async revokeToken() {
      const page = await get('/settings/tokens')
      const revoked = page === null ? undefined : tokens.shift()
      if (page === null || revoked === undefined) return null
      const row = page.text.split('<tr>').find((text) => text.includes(`>${revoked.name}<`)) ?? ''
      const path = /action="([^"]+)"/.exec(row)?.[1] ?? ''
      return record(`token ${revoked.text}`, 'revoked', (await post(path, {})) !== null)
    },
    async share() {
      const fields = { ref: 'refs/heads/main', document: '', days: '30' }
      const done = await post(`/${repository}/settings/share`, fields)
      const page = done === null ? '' : ((await get(done.headers.location ?? ''))?.text ?? '')
      const text = /id="made"[^>]*value="[^"]*\/s\/([^"]+)"/.exec(page)?.[1]
      if (text === undefined) return null
      const ids = [...page.matchAll(/\/settings\/share\/(\d+)\/revoke"/g)].map(([, id]) => Number(id))
      shares.push({ id: Math.max(...ids), text })
      return record(`share ${text}`, 'valid', true)
    },
    async unshare() {
      const share = shares.shift()
      if (share === undefined) return null
      const done = await post(`/${repository}/settings/share/${share.id}/revoke`, {})
      return record(`share ${share.text}`, 'revoked', done !== null)
    },
    async rename() {
      const [from, name] = [repository, next('paper')]
      const to = `${login}/${name}`
      const done = await post(`/${from}/settings/name`, { 'new-name': name })
      if (done === null && (await ask(`repository ${to}`)) === 'absent') return null
      facts.move(from, to)
      repository = to
      facts.change(`repository ${from}`, 'absent', true)
      return record(`repository ${to}`, 'present', true)
    },
    /** Deletes the repository; the next operation creates another one. */
    async replace() {
      const fact = `repository ${repository}`
      const done = await post(`/${repository}/settings/delete`, { name: repository })
      if (done === null && (await ask(fact)) === 'present') return null
      for (const { text } of shares.splice(0)) facts.forget(text)
      facts.forget(repository)
      repository = ''
      return record(fact, 'absent', true)
    },
  } satisfies Record<string, () => Promise<string | null>>

  while (repository === '') await create()
  return {
    login,
    repository: () => repository,
    pushed: git.acknowledged,
    async step() {
      if (repository === '') return create()
      const action = ROUND[step % ROUND.length] ?? 'describe'
      step += 1
      return actions[action]()
    },
    close: () => git.close(),
  }
}

/** git prints the status of a refused request; without one, the connection was cut. */
function noteFailedPush({ failures }: PushingClient, note: AuthorSession['note'], { cuts, wrong }: Answers): void {
  const message = failures.at(-1) ?? ''
  const status = /error: (\d{3})/.exec(message)?.[1]
  note(status === undefined ? 'cut' : `git ${status}`, null)
  if (status === undefined) cuts.push(`git: ${message}`)
  else if (status !== '503') wrong.push(message)
}
