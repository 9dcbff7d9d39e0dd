import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { runProgram } from '../support/programs/run-program.ts'
import { sendRequest } from '../support/send-request.ts'
import { encodeHistory } from './encode-history.ts'
import type { HostileInput } from './hostile-input.ts'
import { createRepository, type HostTarget } from './start-target.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

/** Concurrent requests, as of a browser and a crawler. */
const AT_ONCE = 4
/** Generous: a response may be slow, but must arrive. */
const HANG_MS = 60_000

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
  const { head, first, problem } = await push(target, input)
  if (problem !== null) return { problems: [problem], pages: [] }
  if (input.isBuilt) await waitForBuild(target, input.name)
  const waiting = [...new Set(pagesOf(input, { head, first }))]
  const pages: PageReport[] = []
  const view = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) pages.push(await get(target, path))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, view))
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
    ...pages,
  ].map((path) => home + path)
  const api = ['', '/branches', '/tags', '/branches/main'].map((path) => `/api/v3/repos/bob/${name}${path}`)
  return [...views, ...fileViews, ...folders, ...api, '/bob', `/search?q=${name}`, '/search?q=aaa&in=files', '/']
}

async function get({ url, bob }: HostTarget, path: string): Promise<PageReport> {
  const startedAt = performance.now()
  const cookie = [...bob.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = path.startsWith('/api/')
    ? { authorization: `token ${bob.token}` }
    : { cookie, 'accept-encoding': 'gzip' }
  const { status } = await withinPatience(sendRequest(url, { target: path, headers }))
  return { path, status, durationMs: performance.now() - startedAt }
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
