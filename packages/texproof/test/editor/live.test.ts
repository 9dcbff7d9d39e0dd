/** Live connections of the editor, with real sockets and the real database. */
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import type { WebSocket } from 'ws'
import * as Y from 'yjs'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { draftPlace } from '../../src/operations/edit/drafts.ts'
import { roomLimits } from '../../src/live/rooms.ts'
import { writeDrafts } from '../../src/operations/project-search/branch-texts.ts'
import type { User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { connectLive, openLivePage, openSocket } from '../support/web/live-client.ts'
import type { LiveClient } from '../support/web/live-client.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const EDIT = '/alice/tides/edit/main'
/** Longer than a path that is created in the browser. */
const LONG_NAME = `${'long-folder/'.repeat(100)}file`

let host: PaperHost
let alice: WebClient
let bob: WebClient
let carol: WebClient
let dave: WebClient
let aliceUser: User
let bobUser: User
let work: Checkout
let repositoryId: number

before(async () => {
  host = await openPaperHost(withoutBuilds)
  aliceUser = await addUser('alice')
  bobUser = await addUser('bob')
  await addUser('carol')
  const { id: daveId } = await addUser('dave')
  const repository = await host.addRepository(aliceUser, 'tides', 'private')
  repositoryId = repository.id
  await host.deps.store.repositories.setCollaborator(repositoryId, bobUser.id, 'push')
  await host.deps.store.repositories.setCollaborator(repositoryId, daveId, 'push')
  const files = Object.fromEntries(
    [
      'pair',
      'commit',
      'merge',
      'form',
      'slow',
      'crowd',
      'attack',
      'restart',
      'lost',
      'idle',
      'fallback',
      'behind',
      'replaced',
      'discard',
      'pushed',
      'renamed',
      'moved',
      'drafted',
      'away',
      'asleep',
      'folder',
      LONG_NAME,
    ].map((name) => [`${name}.txt`, 'One.\nTwo.\nThree.\n']),
  )
  const token = await host.addToken(aliceUser, ['repo:write'])
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), files)
  await work.git('push', '--quiet', 'origin', 'main')
  alice = await signIn('alice')
  bob = await signIn('bob')
  carol = await signIn('carol')
  dave = await signIn('dave')
})
after(() => host.close())

async function addUser(login: string): Promise<User> {
  const name = `${login[0]?.toUpperCase()}${login.slice(1)} <b>Example</b>`
  const outcome = await addTestUser(host.deps.store, { login, password, name })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

const open = (client: WebClient, name: string): Promise<LiveClient> =>
  connectLive(host.origin, client, `${EDIT}/${name}.txt`)

/** Waits until the texts of all clients are the same. */
async function whenSame(clients: readonly LiveClient[]): Promise<string> {
  for (const client of clients) await client.whenStored()
  const texts = await eventually(() => clients.map(({ text }) => text.toString()), {
    until: (all) => new Set(all).size === 1,
  })
  return texts[0] ?? ''
}

/** The text of a file at the head of the branch, and the message of its commit. */
async function readCommitted(name: string): Promise<readonly [string, string]> {
  await work.git('fetch', '--quiet', 'origin')
  const text = (await work.git('show', `origin/main:${name}.txt`)).stdout
  return [text, (await work.git('log', '-1', '--format=%B', 'origin/main')).stdout.trim()]
}

const commit = (client: WebClient, name: string, fields: Readonly<Record<string, string>> = {}) =>
  client.submit(`${EDIT}/${name}.txt`, `${EDIT}/${name}.txt`, {
    branch: 'main',
    path: `${name}.txt`,
    live: '1',
    message: 'Edit together',
    ...fields,
  })

async function push(files: Readonly<Record<string, string>>): Promise<void> {
  await work.git('pull', '--quiet', '--rebase', '--autostash', 'origin', 'main')
  await work.commit(files)
  await work.git('push', '--quiet', 'origin', 'main')
}

const closeAll = (clients: readonly LiveClient[]) => Promise.all(clients.map((client) => client.close()))

test('1,000 random edits each in one paragraph end with the same text on both sides and in the commit', async () => {
  const pair = [await open(alice, 'pair'), await open(bob, 'pair')]
  let seed = 7
  const random = (limit: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % limit
  }
  const edit = (text: Y.Text): void => {
    const at = random(text.length + 1)
    if (random(3) === 0) text.delete(at, Math.min(random(4), text.length - at))
    else text.insert(at, 'abc é'.slice(random(4)))
  }
  for (let round = 0; round < 100; round += 1) {
    // Browsers send several changes together.
    for (const { doc, text } of pair)
      doc.transact(() => {
        for (let count = 0; count < 10; count += 1) edit(text)
      })
    // Changes of both sides cross each other.
    await delay(20)
  }
  const text = await whenSame(pair)
  assert.equal((await commit(alice, 'pair')).status, 303)
  const [committed, message] = await readCommitted('pair')
  const { hostname } = new URL(host.origin)
  assert.deepEqual(
    [committed, message],
    [text.endsWith('\n') ? text : `${text}\n`, `Edit together\n\nCo-authored-by: Bob bExample/b <noreply@${hostname}>`],
  )
  await closeAll(pair)
})

test('a commit ends the draft for everyone, and later changes belong to a new one', async () => {
  const pair = [await open(alice, 'commit'), await open(bob, 'commit')]
  const [first, second] = pair
  first?.text.insert(0, 'Alice. ')
  await whenSame(pair)
  await commit(alice, 'commit')
  const told = await eventually(() => second?.messages.find(({ kind }) => kind === 'committed'), {
    until: (message) => message !== undefined,
  })
  const ended = await host.deps.store.drafts.listOfBranch({ repositoryId, branch: 'main' })
  second?.text.insert(0, 'Bob. ')
  await second?.whenStored()
  await commit(bob, 'commit')
  assert.deepEqual(
    [told?.['by'], ended.filter(({ path }) => path === 'commit.txt'), await readCommitted('commit')],
    ['Alice <b>Example</b>', [], ['Bob. Alice. One.\nTwo.\nThree.\n', 'Edit together']],
  )
  await closeAll(pair)
})

test('a commit on a new branch tells everyone which branch has their text', async () => {
  const pair = [await open(alice, 'commit'), await open(bob, 'commit')]
  const [first, second] = pair
  first?.text.insert(0, 'Elsewhere. ')
  await whenSame(pair)
  await commit(alice, 'commit', { to: 'new', new_branch: 'elsewhere' })
  const told = await eventually(() => second?.messages.find(({ kind }) => kind === 'committed'), {
    until: (message) => message !== undefined,
  })
  assert.deepEqual([told?.['branch'], second?.text.toString().includes('Elsewhere')], ['elsewhere', false])
  await closeAll(pair)
})

test('a commit that renames the file tells everyone its new path', async () => {
  const pair = [await open(alice, 'moved'), await open(bob, 'moved')]
  const [first, second] = pair
  first?.text.insert(0, 'Renamed. ')
  await whenSame(pair)
  await commit(alice, 'moved', { path: 'sections/one.txt' })
  const told = await eventually(() => second?.messages.find(({ kind }) => kind === 'committed'), {
    until: (message) => message !== undefined,
  })
  assert.deepEqual([told?.['branch'], told?.['newPath']], [null, 'sections/one.txt'])
  await closeAll(pair)
})

test('a commit merges a push made meanwhile, and everyone sees the merged text', async () => {
  const pair = [await open(alice, 'merge'), await open(bob, 'merge')]
  pair[0]?.text.insert(0, 'Alice. ')
  await whenSame(pair)
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'merge.txt': 'One.\nTwo.\nThree, pushed.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  await commit(alice, 'merge')
  const merged = 'Alice. One.\nTwo.\nThree, pushed.\n'
  const texts = await eventually(() => pair.map(({ text }) => text.toString()), {
    until: (all) => all.every((text) => text === merged),
  })
  const [committed] = await readCommitted('merge')
  assert.deepEqual([texts, committed], [[merged, merged], merged])
  await closeAll(pair)
})

test('a push appears in a text that is open and unchanged, and its next commit is based on it', async () => {
  const client = await open(bob, 'pushed')
  const pushed = 'One.\nTwo.\nThree, pushed.\n'
  await push({ 'pushed.txt': pushed })
  await eventually(() => client.text.toString(), { until: (text) => text === pushed })
  client.text.insert(0, 'Bob. ')
  await client.whenStored()
  await commit(bob, 'pushed')
  const [committed] = await readCommitted('pushed')
  assert.equal(committed, `Bob. ${pushed}`)
  await client.close()
})

test('a file that a push renames is reported to those who edit it, and its return as well', async () => {
  const pair = [await open(alice, 'renamed'), await open(bob, 'drafted')]
  pair[1]?.text.insert(0, 'Bob. ')
  await pair[1]?.whenStored()
  const listMoves = () =>
    pair.map(({ messages }) =>
      messages.flatMap(({ kind, isMissing, newPath }) => (kind === 'moved' ? [[isMissing, newPath]] : [])),
    )
  const waitForMessages = (count: number) =>
    eventually(listMoves, { until: (moves) => moves.every(({ length }) => length >= count) })
  await push({ 'other.txt': 'Another file.\n' })
  await waitForMessages(1)
  await mkdir(join(work.dir, 'parts'))
  await work.git('mv', 'renamed.txt', 'drafted.txt', 'parts')
  await push({})
  await waitForMessages(2)
  await work.git('revert', '--no-edit', 'HEAD')
  await work.git('push', '--quiet', 'origin', 'main')
  await waitForMessages(3)
  assert.deepEqual(listMoves(), [
    [
      [false, null],
      [true, 'parts/renamed.txt'],
      [false, null],
    ],
    // The draft has changes, which the new file lacks.
    [
      [false, null],
      [true, null],
      [false, null],
    ],
  ])
  assert.equal(pair[1]?.text.toString(), 'Bob. One.\nTwo.\nThree.\n')
  await commit(bob, 'drafted')
  await closeAll(pair)
})

for (const [name, state] of [
  ['away', 'open'],
  ['asleep', 'closed'],
] as const)
  test(`a browser that was offline while a push renamed its file is told so, with the text ${state}`, async () => {
    const client = await open(alice, name)
    const { address, epoch } = await openLivePage(alice, `${EDIT}/${name}.txt`)
    const others = state === 'open' ? [await open(bob, name)] : []
    await client.close()
    await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
    await work.git('mv', `${name}.txt`, `${name}-moved.txt`)
    await push({})
    const isTold = ({ messages }: LiveClient) => messages.some(({ isMissing }) => isMissing === true)
    await eventually(() => others.every(isTold))
    if (state === 'closed') await host.restart()
    const page = { address, epoch, state: Y.encodeStateAsUpdate(client.doc) }
    const again = await connectLive(host.origin, alice, page, client.doc)
    await eventually(() => isTold(again))
    const [message] = again.messages.filter(({ kind }) => kind === 'moved')
    assert.deepEqual(message, { kind: 'moved', isMissing: true, newPath: `${name}-moved.txt`, isFollowed: false })
    for (const each of [again, ...others]) await each.close()
  })

test('a draft is what the form without script shows, and its commit credits the authors', async () => {
  const live = await open(bob, 'form')
  live.text.insert(0, 'Bob. ')
  await live.whenStored()
  await live.close()
  const page = await alice.get(`${EDIT}/form.txt`)
  const read = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''
  const text = 'Bob. One.\nTwo.\nThree, by Alice.\n'
  const fields = { opened: read('opened'), draft: read('draft'), live: '' }
  await commit(alice, 'form', { ...fields, text })
  const [committed, message] = await readCommitted('form')
  const left = await host.deps.store.drafts.listOfUser(bobUser.id, 10)
  assert.deepEqual([committed, message.split('\n').at(-1)?.startsWith('Co-authored-by: Bob'), left], [text, true, []])
})

test('a text without a live connection is stored, and conflicts if others have changed it', async () => {
  const page = await alice.get(`${EDIT}/fallback.txt`)
  const opened = /name="opened" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
  const post = (text: string, draft: string) =>
    alice.submit(`${EDIT}/fallback.txt`, '/alice/tides/draft/main/fallback.txt', {
      branch: 'main',
      opened,
      text,
      draft,
    })
  const saved = await post('Mine.\n', '0')
  const live = await open(bob, 'fallback')
  const seen = live.text.toString()
  live.text.insert(0, 'Bob. ')
  await live.whenStored()
  const conflict = await post('Mine again.\n', '1')
  const { epoch } = await openLivePage(alice, `${EDIT}/fallback.txt`)
  assert.deepEqual(
    [JSON.parse(saved.text), seen, conflict.status, JSON.parse(conflict.text)],
    [{ revision: 1 }, 'Mine.\n', 409, { text: 'Bob. Mine.\n', revision: 2, epoch }],
  )
  await live.close()
})

test('a text without a live connection does not replace one that was pushed meanwhile', async () => {
  const { text: page } = await alice.get(`${EDIT}/behind.txt`)
  const read = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(page)?.[1] ?? ''
  const post = (fields: { readonly epoch: string; readonly draft: string }) =>
    alice.submit(`${EDIT}/behind.txt`, '/alice/tides/draft/main/behind.txt', {
      branch: 'main',
      opened: read('name="opened" value'),
      text: 'Alice. One.\nTwo.\nThree.\n',
      ...fields,
    })
  // Closes the room, which has no stored draft.
  await host.restart()
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'behind.txt': 'One.\nTwo, pushed.\nThree.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const conflict = await post({ epoch: read('data-epoch'), draft: '0' })
  const { epoch, ...other } = JSON.parse(conflict.text) as { readonly epoch: string }
  const chosen = await post({ epoch, draft: '0' })
  assert.deepEqual(
    [conflict.status, other, JSON.parse(chosen.text)],
    [409, { text: 'One.\nTwo, pushed.\nThree.\n', revision: 0 }, { revision: 1 }],
  )
})

test('a replacement in the project does not undo what was pushed since its text was read', async () => {
  const readDraft = () =>
    host.deps.rooms.read(draftPlace(host.deps, { repositoryId, branch: 'main', path: 'replaced.txt' }))
  const draft = await readDraft()
  if (draft === null) throw new Error('no text')
  // Closes the room, which has no stored draft.
  await host.restart()
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'replaced.txt': 'One.\nTwo, pushed.\nThree.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const written = await writeDrafts(host.deps, aliceUser.id, [{ draft, text: 'First.\nTwo.\nThree.\n' }])
  const now = await readDraft()
  assert.deepEqual(
    [written, now?.text],
    [[{ path: 'replaced.txt', outcome: 'conflict' }], 'One.\nTwo, pushed.\nThree.\n'],
  )
})

test('a draft of others is discarded after confirmation, for everyone', async () => {
  const live = await open(bob, 'discard')
  live.text.insert(0, 'Bob. ')
  await live.whenStored()
  const discard = (fields: Readonly<Record<string, string>>) =>
    alice.submit(`${EDIT}/discard.txt`, '/alice/tides/draft/main/discard.txt', {
      branch: 'main',
      act: 'discard',
      ...fields,
    })
  const { status, text: question } = await discard({})
  assert.deepEqual(
    [status, /changes by [^.]+/.exec(question)?.[0], live.text.toString()],
    [200, 'changes by Bob &lt;b&gt;Example&lt;/b&gt;', 'Bob. One.\nTwo.\nThree.\n'],
  )
  await discard({ confirmed: /name="confirmed" value="([^"]*)"/.exec(question)?.[1] ?? '' })
  await eventually(() => live.text.toString(), { until: (text) => text === 'One.\nTwo.\nThree.\n' })
  await live.close()
})

test('a draft of a file that became a folder opens as the draft of a new file', async () => {
  const live = await open(alice, 'folder')
  live.text.insert(0, 'Alice. ')
  await live.whenStored()
  await live.close()
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.git('rm', '--quiet', 'folder.txt')
  await work.commit({ 'folder.txt/tides.txt': 'In a folder.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  const { status, text } = await alice.get(`${EDIT}/folder.txt`)
  assert.deepEqual(
    [status, text.includes('is no longer a file on main.'), text.includes('Alice. One.')],
    [409, true, true],
  )
})

test('a file whose path is too long for the database is edited without a draft', async () => {
  const address = `${EDIT}/${LONG_NAME}.txt`
  const page = await alice.get(address)
  const posted = await alice.submit(address, address.replace('/edit/', '/draft/'), { text: 'One.\n', draft: '0' })
  const opened = (await work.git('rev-parse', 'HEAD')).stdout.trim()
  const committed = await commit(alice, LONG_NAME, { text: 'One.\n', opened })
  assert.deepEqual(
    [
      page.status,
      page.text.includes('data-live='),
      posted.status,
      committed.status,
      (await readCommitted(LONG_NAME))[0],
    ],
    [200, false, 409, 303, 'One.\n'],
  )
})

test('stored changes survive a restart, and changes made meanwhile merge', async () => {
  const doc = new Y.Doc()
  const first = await connectLive(host.origin, alice, `${EDIT}/restart.txt`, doc)
  first.text.insert(0, 'Before. ')
  await first.whenStored()
  await host.restart()
  assert.equal(await first.closed, 1012)
  const second = await open(bob, 'restart')
  const seen = second.text.toString()
  second.text.insert(0, 'Bob. ')
  await second.whenStored()
  const vector = Y.encodeStateVector(second.doc)
  doc.getText('text').insert(doc.getText('text').length, 'Offline.\n')
  const again = await connectLive(host.origin, alice, `${EDIT}/restart.txt`, doc)
  again.socket.send(Y.encodeStateAsUpdate(doc, vector))
  await eventually(() => second.text.toString(), { until: (text) => text.endsWith('Offline.\n') })
  assert.deepEqual(
    [seen, second.text.toString(), again.text.toString()],
    [
      'Before. One.\nTwo.\nThree.\n',
      'Bob. Before. One.\nTwo.\nThree.\nOffline.\n',
      'Bob. Before. One.\nTwo.\nThree.\nOffline.\n',
    ],
  )
  await closeAll([second, again])
})

for (const [name, what, interrupt] of [
  ['lost', 'lost its connection', (client: LiveClient) => client.socket.terminate()],
  ['idle', 'was connected to a server that restarts', () => host.restart()],
] as const)
  test(`a browser that ${what} merges its changes with a push, even if there was no draft`, async () => {
    const [path, doc] = [`${name}.txt`, new Y.Doc()]
    const first = await connectLive(host.origin, alice, `${EDIT}/${path}`, doc)
    const { epoch } = await openLivePage(alice, `${EDIT}/${path}`)
    await interrupt(first)
    await eventually(() => host.deps.store.drafts.find({ repositoryId, branch: 'main', path }), { within: 20_000 })
    // Closes the room.
    await host.restart()
    await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
    await work.commit({ [path]: 'One.\nTwo, pushed.\nThree.\n' })
    await work.git('push', '--quiet', 'origin', 'main')
    doc.getText('text').insert(doc.getText('text').length, 'Offline.\n')
    const again = await connectLive(host.origin, alice, `${EDIT}/${path}`, doc)
    const page = await openLivePage(alice, `${EDIT}/${path}`)
    assert.deepEqual([page.epoch, again.text.toString()], [epoch, 'One.\nTwo, pushed.\nThree.\nOffline.\n'])
    await again.close()
  })

test('names come from the server, and cursors are passed on', async () => {
  const pair = [await open(alice, 'crowd'), await open(bob, 'crowd')]
  const [first, second] = pair
  first?.socket.send(JSON.stringify({ kind: 'cursor', anchor: 'AAAA', head: 'AAAA', name: 'Mallory' }))
  const people = await eventually(() => second?.messages.findLast(({ kind }) => kind === 'people')?.['people'], {
    until: (found) => JSON.stringify(found ?? null).includes('AAAA'),
  })
  const users = await Promise.all(['alice', 'bob'].map((login) => host.deps.store.users.findByLogin(login)))
  const ids = users.map((user) => user?.id)
  assert.deepEqual(people, [
    {
      clientId: first?.doc.clientID,
      userId: ids[0],
      name: 'Alice <b>Example</b>',
      color: 0,
      cursor: { anchor: 'AAAA', head: 'AAAA' },
    },
    { clientId: second?.doc.clientID, userId: ids[1], name: 'Bob <b>Example</b>', color: 1, cursor: null },
  ])
  await closeAll(pair)
})

/** The status with which an upgrade is refused. */
async function refusedStatus(
  address: string,
  client: { readonly cookies: ReadonlyMap<string, string> },
  headers: object = {},
): Promise<number> {
  const socket = openSocket(host.origin, address, { ...client, headers })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number; destroy(): void }]
  response.destroy()
  return response.statusCode
}

test('a connection needs a session, this origin, and write access; hidden files answer like missing ones', async () => {
  const { address } = await openLivePage(alice, `${EDIT}/attack.txt`)
  const nobody = { cookies: new Map<string, string>() }
  const statuses = {
    noSession: await refusedStatus(address, nobody),
    missingNoSession: await refusedStatus('/alice/nothing/live/main/attack.txt', nobody),
    otherOrigin: await refusedStatus(address, alice, { origin: 'https://example.org' }),
    noOrigin: await refusedStatus(address, alice, { origin: '' }),
    otherUser: await refusedStatus(address, bob),
    noAccess: await refusedStatus(address.replace(/\?.*/, ''), carol),
    missing: await refusedStatus('/alice/nothing/live/main/attack.txt', carol),
    noBranch: await refusedStatus('/alice/tides/live/none/attack.txt', alice),
  }
  assert.deepEqual(statuses, {
    noSession: statuses.missingNoSession,
    missingNoSession: statuses.missingNoSession,
    otherOrigin: 403,
    noOrigin: 403,
    otherUser: 409,
    noAccess: 404,
    missing: 404,
    noBranch: 404,
  })
})

const malformed: Readonly<Record<string, string | Uint8Array>> = {
  'random bytes': new Uint8Array([1, 255, 255, 255, 255, 255, 255, 255]),
  'text that is not JSON': 'hello',
  'a cursor with markup': JSON.stringify({ kind: 'cursor', anchor: '<script>', head: '' }),
  'an unknown message': JSON.stringify({ kind: 'people', people: [] }),
}

for (const [what, message] of Object.entries(malformed))
  test(`${what} closes the connection that sent it, and no other`, async () => {
    const pair = [await open(alice, 'attack'), await open(bob, 'attack')]
    const [attacker, other] = pair
    attacker?.socket.send(message)
    const code = await attacker?.closed
    other?.text.insert(0, 'a')
    await other?.whenStored()
    assert.equal(code, 4400)
    await closeAll(pair)
  })

test('a user opens at most three connections for each place in a room, even if they are not used', async () => {
  const { address } = await openLivePage(dave, `${EDIT}/attack.txt`)
  const open = (): WebSocket => openSocket(host.origin, address, { cookies: dave.cookies })
  const sockets = Array.from({ length: 3 * roomLimits.membersOfUser }, open)
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const [error] = (await once(open(), 'error')) as [Error]
  assert.equal(error.message, 'Unexpected server response: 503')
  const [first] = sockets
  first?.terminate()
  await delay(100)
  const next = open()
  await once(next, 'open')
  for (const socket of [...sockets, next]) socket.terminate()
})

test('a flood and an oversized message close their connection', async () => {
  const flood = await open(alice, 'attack')
  for (let index = 0; index < 2_000; index += 1)
    flood.socket.send(JSON.stringify({ kind: 'cursor', anchor: '', head: '' }))
  const large = await open(bob, 'attack')
  large.socket.send(new Uint8Array(4_000_000))
  assert.deepEqual([await flood.closed, await large.closed], [4429, 1009])
})

test('an update that takes too long ends the thread, blocks its user for a while, and loses nothing', async () => {
  const pair = [await open(dave, 'slow'), await open(bob, 'slow')]
  const [attacker, other] = pair
  other?.text.insert(0, 'Bob. ')
  await other?.whenStored()
  for (const clientId of [1001, 1002]) {
    const doc = new Y.Doc()
    doc.clientID = clientId
    doc.transact(() => {
      for (let index = 0; index < 15_000; index += 1) doc.getText('text').insert(0, 'x')
    })
    attacker?.socket.send(Y.encodeStateAsUpdate(doc))
  }
  const codes = [await attacker?.closed, await other?.closed]
  const again = await open(bob, 'slow')
  const { address } = await openLivePage(dave, `${EDIT}/slow.txt`)
  const blocked = openSocket(host.origin, address, dave)
  await once(blocked, 'open')
  blocked.send(JSON.stringify({ kind: 'greeting', clientId: 1, epoch: '', vector: '' }))
  const [code] = (await once(blocked, 'close')) as [number]
  assert.deepEqual(
    [codes, again.text.toString().includes('Bob. One.\nTwo.\nThree.\n'), code],
    [[1012, 1012], true, 1013],
  )
  await again.close()
})

test('a connection ends when access is revoked, and when the session ends', async () => {
  const [bobs, alices] = [await open(bob, 'attack'), await open(await signIn('alice'), 'attack')]
  await host.deps.store.repositories.removeCollaborator(repositoryId, bobUser.id)
  await host.deps.store.sessions.removeOfUser(aliceUser.id)
  assert.deepEqual([await bobs.closed, await alices.closed], [4403, 4401])
  const place = draftPlace(host.deps, { repositoryId, branch: 'main', path: 'attack.txt' })
  assert.equal((await host.deps.rooms.read(place))?.isChanged, true)
})
