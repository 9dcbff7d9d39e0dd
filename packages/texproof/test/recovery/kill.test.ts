/**
 * The host is killed during several concurrent changes, and restarted: acknowledged changes are kept, others happen
 * completely or not at all, and database and folders agree. Every round kills at another moment of other changes;
 * KILL_SEED and KILL_ROUNDS repeat a run or extend it.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { pino } from 'pino'

import { readConfig } from '../../src/config/read-config.ts'
import type { Repository } from '../../src/domain/types.ts'
import { openGitStore } from '../../src/git/open-git-store.ts'
import type { GitStore } from '../../src/git/types.ts'
import { addUser } from '../../src/accounts/users/add-user.ts'
import { removeUnfinishedRepositories } from '../../src/operations/repository/remove-unfinished.ts'
import { openParsers } from '../../src/base/open-parsers.ts'
import { openPapers } from '../../src/papers/open-papers.ts'
import { openStore } from '../../src/store/store.ts'
import type { Store } from '../../src/store/store.ts'
import { startHost } from '../support/hosts/start-host.ts'
import { listProcessesOf } from '../support/programs/list-processes.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { git } from '../support/git/git-repository.ts'
import { formTokenOf, openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 4)
const LANES = 4
const password = 'nine trees by the river'

/** State of one repository; `defaultBranch` in the database and in git. */
interface Held {
  readonly state: 'absent' | 'ready' | 'trashed'
  readonly name: string
  readonly visibility: string
  readonly branches: readonly string[]
  readonly defaultBranch: string
  readonly head: string
}

/** One change by a form: its page, its fields, and the resulting state. */
interface Step {
  readonly page: string
  readonly action: string
  readonly fields: (page: string) => Readonly<Record<string, string>>
  readonly after: Held
}

interface Stores {
  readonly store: Store
  readonly git: GitStore
}

type Random = (below: number) => number

test('a host killed at any moment keeps every acknowledged change, and leaves no partial one', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-kill-'))
  t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000)
  t.diagnostic(`KILL_SEED=${seed}`)
  const random = createRandom(seed)
  const store = await openStore({ dataDir })
  await addUser(store, { login: 'alice', password })
  await store.close()
  const cookies = new Map<string, string>()
  let held = Array.from({ length: LANES }, (_, lane) => absent(`lane-${lane}-0`))
  for (let round = 0; round < ROUNDS; round += 1) {
    const host = await startHost({ dataDir })
    const alice = openWebClient(host.url)
    for (const [name, value] of cookies) alice.cookies.set(name, value)
    if (round === 0) await alice.submit('/login', '/login', { name: 'alice', password })
    for (const [name, value] of alice.cookies) cookies.set(name, value)
    const working = held.map((lane) => changeUntilKilled(alice, lane, random))
    await delay(200 + random(800))
    await host.stop('SIGKILL')
    const possible = await Promise.all(working)
    // A running git process continues until it has finished.
    await eventually(() => listProcessesOf(dataDir), { until: (running) => running.length === 0 })
    held = await inspect(dataDir, possible)
  }
})

/** Returns the possible states after the host was killed: before or after the last change. */
async function changeUntilKilled(client: WebClient, from: Held, random: Random): Promise<readonly [Held, Held]> {
  let held = from
  for (;;) {
    const step = choose(held, random)
    const status = await makeChange(client, step).catch(() => null) // the host was killed, as intended
    if (status === null) return [held, step.after]
    assert.equal(status, 303, `POST ${step.action} answers ${status}`)
    held = step.after
  }
}

async function makeChange(client: WebClient, { page, action, fields }: Step): Promise<number> {
  const { text } = await client.get(page)
  return (await client.post(action, { form_token: formTokenOf(text), ...fields(text) })).status
}

function choose(held: Held, random: Random): Step {
  const steps = held.state === 'absent' ? [creation(held)] : held.state === 'trashed' ? fromTrash(held) : changes(held)
  const step = steps[random(steps.length)]
  assert.ok(step)
  return step
}

function creation(held: Held): Step {
  const after: Held = { ...held, state: 'ready', visibility: 'private', branches: ['main'] }
  const fields = () => ({ name: held.name, description: '', visibility: 'private', files: 'yes', paper: 'article' })
  return { page: '/new', action: '/new', fields, after: { ...after, defaultBranch: 'main', head: 'main' } }
}

function fromTrash(held: Held): Step[] {
  const idOf = (page: string): string =>
    new RegExp(`value="(\\d+)" aria-label="Restore ${held.name}"`).exec(page)?.[1] ?? ''
  const place = { page: '/settings/trash', action: '/settings/trash' }
  return [
    { ...place, fields: (page) => ({ restore: idOf(page) }), after: { ...held, state: 'ready' } },
    { ...place, fields: (page) => ({ remove: idOf(page) }), after: absent(nextName(held.name)) },
  ]
}

function changes(held: Held): Step[] {
  const at = `/alice/${held.name}`
  const settings = `${at}/settings`
  const renamed = nextName(held.name)
  const isPublic = held.visibility === 'public'
  const visibility = isPublic ? 'private' : 'public'
  const newBranch = `b${Math.max(0, ...held.branches.map((name) => Number(name.slice(1)) || 0)) + 1}`
  const other = held.branches.find((name) => name !== held.defaultBranch) ?? null
  const make = (page: string, part: string, fields: Readonly<Record<string, string>>, after: Partial<Held>): Step => ({
    page,
    action: `${at}/${part}`,
    fields: () => fields,
    after: { ...held, ...after },
  })
  return [
    make(settings, 'settings/name', { 'new-name': renamed }, { name: renamed }),
    make(settings, 'settings/visibility', { visibility, name: `alice/${held.name}` }, { visibility }),
    make(settings, 'settings/delete', { name: `alice/${held.name}` }, { state: 'trashed' }),
    make(
      `${at}/branches`,
      'branches/new',
      { name: newBranch, from: 'main' },
      { branches: [...held.branches, newBranch] },
    ),
    ...(other === null
      ? []
      : [
          make(settings, 'settings/branch', { branch: other }, { defaultBranch: other, head: other }),
          ...(other === 'main' ? [] : [branchDeletion(held, other)]),
        ]),
  ]
}

function branchDeletion(held: Held, name: string): Step {
  const place = `/alice/${held.name}/branches/delete/${name}`
  const fields = (page: string) => ({ commit: /name="commit" value="(\w+)"/.exec(page)?.[1] ?? '' })
  const branches = held.branches.filter((branch) => branch !== name)
  return { page: place, action: place, fields, after: { ...held, branches } }
}

/** Starts like the next host and checks consistency; returns the state of each lane. */
async function inspect(dataDir: string, possible: readonly (readonly [Held, Held])[]): Promise<Held[]> {
  const { config } = readConfig({ data: dataDir }, {})
  const store = await openStore({ dataDir })
  const root = join(dataDir, 'repositories')
  const gitStore = await openGitStore({ root })
  const parsers = openParsers()
  const papers = await openPapers({ config, log: pino({ level: 'silent' }), store, git: gitStore, parsers })
  try {
    await removeUnfinishedRepositories({ store, git: gitStore }, { olderThanMs: -1 })
    await gitStore.sweep({ olderThanMs: -1 })
    // Closing interrupts the work resumed at start.
    await eventually(async () => (await store.pushJournal.list()).length === 0)
    await papers.close()
    const found: Held[] = []
    for (const states of possible) {
      const now = await findState({ store, git: gitStore }, states)
      assert.ok(
        states.some((state) => isSame(state, now)),
        `found ${show(now)}, may be ${states.map(show).join(' or ')}`,
      )
      found.push(now)
    }
    await assertFoldersHaveRows(root, store)
    return found
  } finally {
    await parsers.close()
    await gitStore.close()
    await store.close()
  }
}

async function findState(stores: Stores, states: readonly Held[]): Promise<Held> {
  const { store } = stores
  const owner = await store.users.findByLogin('alice')
  const trashed = await store.repositories.listTrashed(owner?.id ?? '')
  for (const state of states) {
    const repository = await store.repositories.findByName('alice', state.name)
    if (repository !== null) return describe(repository, stores)
    // A repository in the trash is hidden; it is unchanged when restored.
    if (state.state === 'trashed' && trashed.some(({ name }) => name === state.name)) return state
  }
  return states.find(({ state }) => state === 'absent') ?? absent('lost')
}

async function describe(
  { id, name, visibility, defaultBranch }: Repository,
  { store, git: gitStore }: Stores,
): Promise<Held> {
  const gitDir = gitStore.gitDir(id)
  git(gitDir, ['fsck', '--strict', '--connectivity-only'])
  const branches = (await gitStore.listBranches(id)).map((branch) => branch.name)
  const head = git(gitDir, ['symbolic-ref', '--short', 'HEAD'])
  assert.notEqual(await store.builds.count(id), 0, `${name} was never built`)
  return { state: 'ready', name, visibility, branches, defaultBranch, head }
}

async function assertFoldersHaveRows(root: string, store: Store): Promise<void> {
  const owner = await store.users.findByLogin('alice')
  const trashed = await store.repositories.listTrashed(owner?.id ?? '')
  const folders = (await readdir(root, { recursive: true })).filter((name) => /^\w\w\/\d+\.git$/.test(name))
  for (const folder of folders) {
    const id = Number(/(\d+)\.git$/.exec(folder)?.[1])
    const hasRow = trashed.some((one) => one.id === id) || (await store.repositories.findById(id)) !== null
    assert.ok(hasRow, `${folder} belongs to nothing`)
  }
  const left = await Promise.all(['tmp', 'trash'].map((name) => readdir(join(root, name))))
  assert.deepEqual([left.flat(), await store.repositories.listUnfinished({ before: Date.now() + 1 })], [[], []])
}

function absent(name: string): Held {
  return { state: 'absent', name, visibility: 'private', branches: [], defaultBranch: 'main', head: 'main' }
}

function nextName(name: string): string {
  return name.replace(/\d+$/, (number) => String(Number(number) + 1))
}

function isSame(left: Held, right: Held): boolean {
  return left.state === right.state && (left.state === 'absent' || show(left) === show(right))
}

function show(held: Held): string {
  return JSON.stringify({ ...held, branches: held.branches.toSorted() })
}

/** Creates a random generator that returns the same numbers for the same seed. */
function createRandom(seed: number): Random {
  let state = (seed % 2_147_483_646) + 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
