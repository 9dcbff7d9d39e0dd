/**
 * A host with content of every kind, for tests of all pages: alice (an administrator) has a public and a private paper
 * with the same content, so every page of the private one has a public counterpart; bob has nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Config } from '../../../src/config/read-config.ts'
import type { Repository, User } from '../../../src/domain/types.ts'
import { addTestUser } from './add-test-user.ts'
import { createWebhook } from '../../../src/operations/repository/change-webhooks.ts'
import { inviteCollaborator } from '../../../src/operations/repository/invite-collaborator.ts'
import { createShareLink } from '../../../src/operations/repository/share-links.ts'
import { openPaperHost } from './paper-host.ts'
import type { PaperHost } from './paper-host.ts'
import { copySnapshot } from './copy-snapshot.ts'
import { openWebClient } from '../web/web-client.ts'
import type { WebClient } from '../web/web-client.ts'

/** A word that occurs in the private paper only. */
export const privateWord = 'thalassography'

export interface FilledSite {
  readonly host: PaperHost
  readonly origin: string
  /** The first commit, which is also tag `v1`. */
  readonly firstCommitId: string
  /** The newest commit of `main`: it does not compile. */
  readonly lastCommitId: string
  /** The secret of a share link of the public paper. */
  readonly shareText: string
  /** The secret of an invitation to the public paper. */
  readonly invitationText: string
  /** A signed-in browser without script. */
  signIn(login: string): Promise<WebClient>
  close(): Promise<void>
}

/** A closed port: pages about emails and the identity provider are rendered, but nothing is sent. */
const smtp = { host: '127.0.0.1', port: 9, isTls: false, login: null, from: 'Papers <papers@uni.example>' }
const oidc = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'papers',
  clientSecret: null,
  name: 'University',
  isJoinAllowed: false,
}

const passwords = { alice: 'nine trees by the river', bob: 'seven stones in the brook' } as const

const files = (word: string): Readonly<Record<string, string>> => ({
  'main.tex': String.raw`\documentclass{article}
\title{The ${word} of tides}\author{Alice}
\begin{document}\maketitle
\section{Introduction}\label{sec:a}
See section~\ref{sec:b} and~\cite{smith}.
\input{sections/intro}
\end{document}
`,
  'sections/intro.tex': `The tide rises: ${word}.\n\nIt falls again.\n`,
  'refs.bib': '@book{smith, title = {Tides}, author = {Smith, A.}, year = 2020}\n',
  'README.md': readme(word),
  'analysis.ipynb': notebook(word),
  'figs/a b.txt': `${word}\n`,
  'figs/map.eps': `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 40 20\n% ${word}\n0 0 moveto 40 20 lineto stroke\nshowpage\n`,
  'figs/damaged.pdf': '%PDF-1.5\n',
  'tools/plot.py': `def ${word}(x):\n    return x ** 2\n`,
})

/** A notebook with text, code and every kind of output. */
const notebook = (word: string): string =>
  JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: [`# Analysis of ${word}\n`, '\n', 'The range is $a(x)$.'] },
      {
        cell_type: 'code',
        source: 'for gauge in gauges:\n    print(gauge)  # in metres',
        execution_count: 1,
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['1.80\n', '3.29\n'] },
          { output_type: 'stream', name: 'stderr', text: 'a warning\n' },
          { output_type: 'execute_result', data: { 'text/latex': '$\\frac{b_0}{b}$' }, execution_count: 1 },
          { output_type: 'display_data', data: { 'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg"/>' } },
          { output_type: 'error', ename: 'NameError', evalue: 'x', traceback: ['\u001B[31mNameError\u001B[0m: x'] },
        ],
      },
    ],
  })

/** Everything that Markdown can contain. */
const readme = (word: string): string => String.raw`# ${word}

Read [the introduction](sections/intro.tex) or [elsewhere](https://example.org/). The range is $a(x)$.[^1]

$$
a(x) = a_0 \sqrt{\frac{b_0}{b(x)}}, \qquad \wrong
$$

> [!WARNING]
> The gauges are in winter time.

- [x] measured
- [ ] analyzed

| Gauge | Range |
|:------|------:|
| Quay  |  3.29 |

[^1]: In metres.
`

/** Opens the host with all builds finished, optionally with other settings. */
export async function openFilledSite(settings: Partial<Config> = {}): Promise<FilledSite> {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-site-'))
  const content = await copySnapshot('site', { to: dataDir, fill })
  const host = await openPaperHost({ smtp, oidc, ...settings, dataDir })
  return {
    host,
    origin: host.origin,
    ...content,
    signIn: (login) => signIn(host, login),
    async close() {
      await host.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Ids and codes of the content that tests use. */
type Content = Pick<FilledSite, 'firstCommitId' | 'lastCommitId' | 'shareText' | 'invitationText'>

/** Fills an empty data directory. */
async function fill(dataDir: string): Promise<Content> {
  const host = await openPaperHost({ smtp, oidc, dataDir })
  try {
    return await fillHost(host)
  } finally {
    await host.close()
  }
}

async function fillHost(host: PaperHost): Promise<Content> {
  const alice = await addPerson(host, 'alice', true)
  await addPerson(host, 'bob', false)
  const token = await host.addToken(alice, ['repo:write'])
  const ids: string[] = []
  for (const [name, word] of [
    ['tides', 'oceanography'],
    ['draft', privateWord],
  ] as const) {
    const repository = await host.addRepository(alice, name, name === 'draft' ? 'private' : 'public')
    await addWebhook(host, alice, repository)
    const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), files(word))
    if (ids.length === 0) ids.push((await checkout.git('rev-parse', 'HEAD')).stdout.trim())
    await checkout.git('tag', 'v1')
    await checkout.git('push', 'origin', 'main', 'main:refs/heads/feature/a', 'v1')
    for (let n = 1; n <= 3; n += 1)
      await checkout.commit({ 'sections/intro.tex': `The ${word} rises ${n} times.\n` }, `Count ${word} to ${n}`)
    await host.whenBuilt(repository.id)
    ids.push(await checkout.commit({ 'sections/intro.tex': `The \\${word} falls.\n` }, `Break the ${word}`))
    await checkout.git('push', 'origin', 'main')
    await host.whenBuilt(repository.id)
  }
  await addMirror(host, alice)
  await host.addRepository(alice, 'empty')
  return {
    firstCommitId: ids[0] ?? '',
    lastCommitId: ids[1] ?? '',
    shareText: await share(host, alice),
    invitationText: await invite(host, alice),
  }
}

/** A mirror whose last fetch failed. */
async function addMirror(host: PaperHost, owner: User): Promise<void> {
  const { id } = await host.addRepository(owner, 'followed')
  const { mirrors } = host.deps.store
  const at = Date.now()
  const dueAt = at + 86_400_000
  await mirrors.add(id, { url: 'https://git.example/tides.git', at, dueAt })
  await mirrors.record(id, { at, problem: null, dueAt, rewritten: ['main', 'v1'] })
  await mirrors.record(id, { at, problem: 'The server is too slow.', dueAt, rewritten: [] })
}

async function share({ deps }: PaperHost, { id: userId }: User): Promise<string> {
  const tides = await deps.store.repositories.findByName('alice', 'tides')
  const link = { repositoryId: tides?.id ?? 0, userId, ref: 'refs/heads/main', document: null, expiresAt: null }
  const created = await createShareLink({ store: deps.store, dataDir: deps.config.dataDir }, link)
  if (created === null) throw new Error('too many share links')
  return created.text
}

async function invite({ deps: { store } }: PaperHost, actor: User): Promise<string> {
  const repository = await store.repositories.findByName('alice', 'tides')
  if (repository === null) throw new Error('no repository to invite to')
  const invitation = { email: 'bob@uni.example', permission: 'push' } as const
  const outcome = await inviteCollaborator(store, { repository, actor }, invitation)
  return outcome.kind === 'invited' ? outcome.text : ''
}

/** A webhook of each paper, with a delivery that was answered. */
async function addWebhook({ deps }: PaperHost, { id: userId }: User, repository: Repository): Promise<void> {
  const form = { url: `https://ci.example/${repository.name}`, secret: 'salt', events: ['delete'], isActive: true }
  const outcome = await createWebhook(deps, form, { repositoryId: repository.id, userId })
  if (outcome.kind === 'refused') throw new Error(outcome.problem)
  const [ping] = await deps.store.webhookDeliveries.list(outcome.webhook.id, { limit: 1, offset: 0 })
  const attempt = {
    sentAt: Date.now(),
    durationMs: 120,
    requestHeaders: 'host: ci.example\ncontent-type: application/json\nx-texproof-event: ping',
    response: { status: 500, headers: 'content-type: text/plain', body: 'The disk is full.' },
    problem: 'The server answered 500.',
  }
  await deps.store.webhookDeliveries.setPayload(ping?.id ?? 0, '{"hook_id":1}')
  await deps.store.webhookDeliveries.recordAttempt(ping?.id ?? 0, attempt, { retryAt: null })
}

async function addPerson(host: PaperHost, login: keyof typeof passwords, isAdmin: boolean) {
  const outcome = await addTestUser(host.deps.store, { login, password: passwords[login], isAdmin })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

async function signIn(host: PaperHost, login: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  const password = login === 'bob' ? passwords.bob : passwords.alice
  const answer = await client.submit('/login', '/login', { name: login, password })
  if (answer.status !== 303) throw new Error(`${login} cannot sign in: ${answer.status}`)
  return client
}
