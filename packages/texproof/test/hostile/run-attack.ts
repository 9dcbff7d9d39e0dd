import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { runProgram } from '../support/programs/run-program.ts'
import { sendRequest } from '../support/send-request.ts'
import { encodeHistory } from './encode-history.ts'
import { openLivePage, openSocket } from '../support/web/live-client.ts'
import { formTokenOf } from '../support/web/web-client.ts'
import type { HostileForm, HostileInput } from './hostile-input.ts'
import { createRepository, type HostTarget } from './start-target.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

/** Concurrent requests, as of a browser and a crawler. */
const AT_ONCE = 4
/** Generous: a response may be slow, but must arrive. */
const HANG_MS = 60_000
/** Longer than a thread may take for a message. */
const TALK_MS = 6_000

/** A page that was slow or failed. */
export interface PageReport {
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** Result of an input. */
export interface AttackReport {
  readonly problems: readonly string[]
  readonly pages: readonly PageReport[]
}

/** Pushes an input to its own repository, and requests every kind of page of it. */
export async function runAttack(target: HostTarget, input: HostileInput): Promise<AttackReport> {
  await createRepository(target.url, target.bob.token, { name: input.name })
  if (input.hasWebhook) await createWebhook(target, input.name)
  const { head, first, problem } = await push(target, input)
  if (problem !== null) return { problems: [problem], pages: [] }
  if (input.isBuilt) await waitForBuild(target, input.name)
  const pages: PageReport[] = []
  for (const form of input.forms ?? []) pages.push(...(await send(target, form)))
  if (input.live !== undefined) await talk(target, input.name, input.live)
  const deliveries = input.hasWebhook ? await findDeliveries(target, input.name) : []
  const waiting = [...new Set([...pagesOf(input, { head, first }), ...deliveries])]
  const view = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) pages.push(await get(target, path))
  }
  const readAnonymously = async (): Promise<void> => {
    for (const path of input.anonymous ?? [])
      pages.push(await get(target, `/bob/${input.name}${path}`, { isAnonymous: true }))
  }
  await Promise.all([readAnonymously(), ...Array.from({ length: AT_ONCE }, view)])
  if (input.edit !== undefined) pages.push(await edit(target, input, { ...input.edit, openedId: first }))
  const isFault = ({ status }: PageReport): boolean => status === 0 || (status >= 500 && status !== 503)
  return { problems: pages.filter(isFault).map(({ path, status }) => `${path}: ${status}`), pages }
}

async function push(
  { url, bob, workDir }: HostTarget,
  input: HostileInput,
): Promise<{ readonly head: string; readonly first: string; readonly problem: string | null }> {
  const dir = join(workDir, 'attack.git')
  await mkdir(dir, { recursive: true })
  const history = join(workDir, 'history')
  await writeFile(history, encodeHistory(input))
  const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', HOME: workDir }
  const git = (args: string): ReturnType<typeof runProgram> =>
    runProgram('sh', ['-c', `git ${args}`], { cwd: dir, env })
  try {
    await git('init --quiet --bare --initial-branch=main')
    const imported = await git(`fast-import --quiet < '${history}'`)
    if (imported.exitCode !== 0) return { head: '', first: '', problem: imported.stderr }
    const remote = `${url.replace('://', `://bob:${bob.token}@`)}/bob/${input.name}.git`
    // A host may refuse an input, and then shows nothing of it.
    await git(`push --quiet '${remote}' 'refs/heads/*:refs/heads/*' 'refs/tags/*:refs/tags/*'`)
    const ids = (await git('rev-list --first-parent main')).stdout.trim().split('\n')
    return { head: ids[0] ?? '', first: ids.at(-1) ?? '', problem: null }
  } finally {
    await rm(dir, { recursive: true, force: true })
    await rm(history, { force: true })
  }
}

/** Every kind of page that shows something of the input. */
function pagesOf(
  { name, commits, pages = [] }: HostileInput,
  { head, first }: { readonly head: string; readonly first: string },
): readonly string[] {
  const home = `/bob/${name}`
  const paths = [...new Set(commits.flatMap(({ files }) => Object.keys(files)))].slice(0, 6)
  const fileViews = paths.flatMap((path) => {
    const place = `main/${path.split('/').map(encodeURIComponent).join('/')}`
    return [
      ...['blob', 'blame', 'raw', 'commits', 'edit'].map((view) => `${home}/${view}/${place}`),
      `${home}/blob/${place}?view=source`,
      `${home}/blob/${place}?view=source&from=8001`,
      `${home}/commit/${head}?file=${encodeURIComponent(path)}`,
      `${home}/delete/${place}`,
    ]
  })
  const folders = [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].map(
    (folder) => `${home}/tree/main/${encodeURIComponent(folder)}`,
  )
  const views = [
    '',
    '/commits',
    `/commit/${head}`,
    `/commit/${head}?view=split`,
    `/commit/${head}?space=ignore`,
    `/compare/${first}...main`,
    '/compare',
    '/branches',
    '/tags',
    '/builds',
    '/builds/1',
    '/builds/1/logs/1',
    '/pdf/main',
    '/pdf/main.pdf',
    '/badge/main.svg',
    '/archive/main.zip',
    '/archive/main.tar.gz',
    '/find/main?q=',
    '/find/main?q=aex',
    '/search?q=a',
    '/synctex/main?path=main.tex&line=3',
    '/synctex/main?page=1&x=100&y=100',
    '/settings',
    '/tree/main/none/such',
    '/words/main',
    '/words/main?drafts=1',
    '/export/main',
    '/build-settings/main',
    '/new/main',
    '/picture/main.png',
    '/settings/webhooks',
    ...pages,
  ].map((path) => home + path)
  const api = ['', '/branches', '/tags', '/branches/main'].map((path) => `/api/v3/repos/bob/${name}${path}`)
  return [...views, ...fileViews, ...folders, ...api, '/bob', `/search?q=${name}`, '/search?q=aaa&in=files', '/']
}

async function get(
  { url, bob }: HostTarget,
  path: string,
  { isAnonymous = false }: { readonly isAnonymous?: boolean } = {},
): Promise<PageReport> {
  const startedAt = performance.now()
  const browser = { 'accept-encoding': 'gzip', ...(isAnonymous ? {} : { cookie: cookieOf(bob) }) }
  const headers = path.startsWith('/api/') ? { authorization: `token ${bob.token}` } : browser
  const { status } = await withinPatience(sendRequest(url, { target: path, headers }))
  return { path, status, durationMs: performance.now() - startedAt }
}

function cookieOf({ client }: HostTarget['bob']): string {
  return [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** Sends a form, then requests the page that it leads to. */
async function send(target: HostTarget, { path, isAnonymous, encode }: HostileForm): Promise<readonly PageReport[]> {
  const { url, bob } = target
  const token = isAnonymous ? '' : formTokenOf((await bob.client.get('/new')).text)
  const request = new Request(url, { method: 'POST', body: encode(token) })
  const credentials = path.startsWith('/api/') ? { authorization: `token ${bob.token}` } : { cookie: cookieOf(bob) }
  const headers = {
    origin: url,
    'content-type': request.headers.get('content-type') ?? '',
    ...(isAnonymous ? {} : credentials),
  }
  const body = new Uint8Array(await request.arrayBuffer())
  const startedAt = performance.now()
  const answer = sendRequest(url, { method: 'POST', target: path, headers, body })
  const { status } = await withinPatience(answer)
  const sent: PageReport = { path: `${path} (post)`, status, durationMs: performance.now() - startedAt }
  const next = status === 303 ? (await answer).headers.location : undefined
  return next === undefined ? [sent] : [sent, await get(target, new URL(next, url).pathname)]
}

/** Sends the messages of a live connection, and waits until the host has closed it or answered. */
async function talk(
  { url, bob }: HostTarget,
  repository: string,
  { path, messages }: NonNullable<HostileInput['live']>,
): Promise<void> {
  const { address, epoch } = await openLivePage(bob.client, `/bob/${repository}/edit/main/${path}`)
  const socket = openSocket(url, address, { cookies: bob.client.cookies })
  socket.on('error', () => {}) // The host may end the connection at any time.
  await once(socket, 'open')
  socket.send(JSON.stringify({ kind: 'greeting', clientId: 1, epoch, vector: 'AA==' }))
  for (const message of messages()) socket.send(message)
  const closed = once(socket, 'close')
  await Promise.race([closed, delay(TALK_MS)])
  socket.terminate()
}

/** The receiver does not exist: only what is prepared for it matters. */
async function createWebhook({ bob }: HostTarget, repository: string): Promise<void> {
  const path = `/bob/${repository}/settings/webhooks/new`
  const values = { url: 'http://receiver.invalid/', secret: 'twelve reeds in the pond', events: 'push', active: 'yes' }
  const { status, text } = await bob.client.submit(path, path, values)
  if (status !== 303) throw new Error(`create a webhook: ${status} ${text}`)
}

/** The pages of the webhook and its deliveries, once these were prepared. */
async function findDeliveries({ bob }: HostTarget, repository: string): Promise<readonly string[]> {
  const links = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([link]) => link)
  const list = await bob.client.get(`/bob/${repository}/settings/webhooks`)
  const [webhook = ''] = links(list.text, /\/bob\/[^"]+\/settings\/webhooks\/\d+/g)
  const pattern = /\/bob\/[^"]+\/deliveries\/\d+/g
  const deliveries = await eventually(async () => links((await bob.client.get(webhook)).text, pattern), {
    until: (found) => found.length > 0,
  })
  return [webhook, ...deliveries]
}

/** Sends an edit of the first commit's text, which must be merged with the last commit. */
async function edit(
  { bob }: HostTarget,
  { name }: HostileInput,
  { path, text, openedId }: { readonly path: string; readonly text: string; readonly openedId: string },
): Promise<PageReport> {
  const startedAt = performance.now()
  const place = `/bob/${name}/edit/main/${path}`
  const fields = { branch: 'main', opened: openedId, path, text, message: '', to: 'same', new_branch: '' }
  const { status } = await withinPatience(bob.client.submit(place, place, fields))
  return { path: `${place} (post)`, status, durationMs: performance.now() - startedAt }
}

async function withinPatience(answer: Promise<{ readonly status: number }>): Promise<{ readonly status: number }> {
  const stop = new AbortController()
  const tooLate = delay(HANG_MS, { status: 0 }, { signal: stop.signal }).catch(() => ({ status: 0 }))
  const response = await Promise.race([answer.catch(() => ({ status: 0 })), tooLate])
  stop.abort()
  return response
}

async function waitForBuild({ url }: HostTarget, name: string): Promise<void> {
  const readBadge = async () => (await sendRequest(url, { target: `/bob/${name}/badge/main.svg` })).text
  await eventually(readBadge, {
    every: 250,
    until: (badge) => !/building|queued|never built/.test(badge),
  })
}
