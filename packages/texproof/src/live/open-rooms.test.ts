import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { pino } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'
import * as Y from 'yjs'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestRepository } from '../../test/support/database/open-test-store.ts'
import { createTestDatabase } from '../../test/support/database/test-database.ts'
import { openStore } from '../store/store.ts'
import { openRooms } from './open-rooms.ts'
import { roomLimits } from './rooms.ts'
import type { RoomPlace, Rooms } from './rooms.ts'
import { serveSocket } from './serve-socket.ts'
import { readSharedText, textOf } from './shared-text.ts'

async function openPlace(context: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-rooms-'))
  const outage = { isOn: false, failed: 0 }
  const beforeStatement = (): void => {
    if (!outage.isOn) return
    outage.failed += 1
    throw new Error('the database is not available')
  }
  const store = await openStore({ dataDir, databaseUrl: await createTestDatabase(dataDir), beforeStatement })
  // Before the answer to a user's first change of a text.
  const measured = { wait: Promise.resolve() }
  const compactions = { count: 0 }
  const drafts: typeof store.drafts = {
    ...store.drafts,
    async measure(userId) {
      const answer = await store.drafts.measure(userId)
      await measured.wait
      return answer
    },
    async compact(...args) {
      const isCompacted = await store.drafts.compact(...args)
      compactions.count += 1
      return isCompacted
    },
  }
  const open = (): Rooms => openRooms({ store: { drafts }, log: pino({ level: 'silent' }) })
  const [rooms, roomsOfOtherServer] = [open(), open()]
  context.after(async () => {
    await rooms.close()
    await roomsOfOtherServer.close()
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  const { owner, repositoryId } = await addTestRepository(store)
  const place: RoomPlace = {
    key: { repositoryId, branch: 'main', path: 'main.tex' },
    findHead: async () => 'c',
    readFile: async () => ({ commitId: 'c', text: 'Tides.\n' }),
    findNewPath: async () => null,
  }
  return { rooms, roomsOfOtherServer, place, outage, measured, compactions, drafts, userId: owner.id }
}

/** Joins a room. `type` sends a text at the beginning of the room's, and resolves when the room has it. */
async function joinRoom(rooms: Rooms, place: RoomPlace, userId: string) {
  const draft = await rooms.read(place)
  const doc = readSharedText(draft?.state ?? new Uint8Array(), [])
  const ignore = (): void => {}
  const seat = await rooms.join(place, {
    userId,
    name: 'Bob',
    clientId: doc.clientID,
    sendUpdate: ignore,
    send: ignore,
    close: ignore,
  })
  return {
    clientId: doc.clientID,
    leave: () => seat?.leave(true),
    async type(text: string): Promise<void> {
      const before = Y.encodeStateVector(doc)
      textOf(doc).insert(0, text)
      await seat?.apply(Y.encodeStateAsUpdate(doc, before))
    },
  }
}

test('a room that closes while the database is not available keeps its text', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const { rooms, place, outage, userId } = await openPlace(context)
  await rooms.replace(place, { userId, text: 'Waves.\n', baseRevision: 0 })
  outage.isOn = true
  context.mock.timers.tick(60_000)
  await eventually(() => outage.failed, { until: (failed) => failed > 0 })
  outage.isOn = false
  assert.equal((await rooms.read(place))?.text, 'Waves.\n')
})

test('a room that closes keeps later changes of another server', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const { rooms, roomsOfOtherServer, place, compactions, userId } = await openPlace(context)
  await rooms.replace(place, { userId, text: 'Waves.\n', baseRevision: 0 })
  await roomsOfOtherServer.replace(place, { userId, text: 'High waves.\n', baseRevision: 1 })
  context.mock.timers.tick(20_000)
  const stale = (await rooms.read(place))?.text
  // The room of the other server closes, and then the one that was read.
  for (const count of [1, 2]) {
    context.mock.timers.tick(20_000)
    await eventually(() => compactions.count, { until: (done) => done === count })
  }
  assert.deepEqual([stale, (await roomsOfOtherServer.read(place))?.text], ['Waves.\n', 'High waves.\n'])
})

test('the history of an unchanged text is kept since the last browser went offline', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { rooms, place, drafts, userId } = await openPlace(context)
  const goOffline = async (): Promise<void> => {
    const leftAt = Date.now()
    const { leave } = await joinRoom(rooms, place, userId)
    leave()
    await eventually(() => drafts.find(place.key), { until: (stored) => (stored?.updatedAt ?? 0) >= leftAt })
  }
  await goOffline()
  context.mock.timers.tick(6 * 86_400_000)
  await goOffline()
  await drafts.removeUnchanged(Date.now() - 1)
  assert.equal((await drafts.find(place.key))?.isChanged, false)
})

test('a connection to a file that cannot be read is closed, and the browser connects again', async (context) => {
  const { rooms, place } = await openPlace(context)
  const readFile = async (): Promise<never> => {
    throw new Error('too many open files')
  }
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  context.after(() => server.close())
  server.on('connection', (socket) =>
    serveSocket(socket, rooms, { userId: 'u1', name: 'Alice', place: { ...place, readFile }, check: async () => 'ok' }),
  )
  await once(server, 'listening')
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await once(socket, 'open')
  socket.send(JSON.stringify({ kind: 'greeting', clientId: 1, epoch: 'e', vector: '' }))
  const [code, reason] = await once(socket, 'close')
  assert.deepEqual([code, String(reason)], [1012, 'restart'])
})

/** A draft that has begun, and its author. */
async function beginDraft(context: TestContext) {
  const opened = await openPlace(context)
  const { rooms, place, userId } = opened
  await rooms.replace(place, { userId, text: 'Waves.\n', baseRevision: 0 })
  const bob = await joinRoom(rooms, place, userId)
  const draft = await rooms.read(place)
  assert.ok(draft !== null)
  return { ...opened, bob, draft }
}

test('a commit keeps what is being typed', async (context) => {
  const { rooms, place, bob, draft, userId } = await beginDraft(context)
  const typing = bob.type('High ')
  const file = { commitId: 'c2', text: draft.text }
  await Promise.all([
    typing,
    rooms.settle(place, { draft, file, by: 'Alice', branch: null, newPath: null, isDiscarded: false }),
  ])
  const { text, isChanged, authors } = (await rooms.read(place)) ?? {}
  assert.deepEqual(
    { text, isChanged, authors },
    { text: 'High Waves.\n', isChanged: true, authors: [{ userId, revision: 2 }] },
  )
})

test('a discarded draft has no authors, even if one was typing', async (context) => {
  const { rooms, place, bob } = await beginDraft(context)
  const typing = bob.type('High ')
  const file = { commitId: 'c', text: 'Tides.\n' }
  await Promise.all([
    typing,
    rooms.settle(place, { draft: null, file, by: 'Alice', branch: null, newPath: null, isDiscarded: true }),
  ])
  const { text, isChanged, authors } = (await rooms.read(place)) ?? {}
  assert.deepEqual({ text, isChanged, authors }, { text: 'Tides.\n', isChanged: false, authors: [] })
})

test('a text that is being changed is not replaced', async (context) => {
  const { rooms, place, bob, draft, userId } = await beginDraft(context)
  const typing = bob.type('High ')
  const change = { userId, text: 'Storms.\n', baseRevision: draft.revision }
  const [, outcome] = await Promise.all([typing, rooms.replace(place, change)])
  const read = await rooms.read(place)
  assert.deepEqual([outcome, read?.text, read?.revision], [{ kind: 'conflict', draft: read }, 'High Waves.\n', 2])
})

test('a text that follows its branch keeps what is being typed', async (context) => {
  const { rooms, place, measured, userId } = await openPlace(context)
  const bob = await joinRoom(rooms, place, userId)
  const { promise, resolve } = Promise.withResolvers<void>()
  measured.wait = promise
  const typing = bob.type('High ')
  await rooms.read({
    ...place,
    // The change reaches the text after the room has read it.
    async readFile() {
      resolve()
      return { commitId: 'c2', text: 'Tides and winds.\n' }
    },
  })
  await typing
  const { text, openedId } = (await rooms.read(place)) ?? {}
  assert.deepEqual({ text, openedId }, { text: 'High Tides and winds.\n', openedId: 'c2' })
})

test('a text that two requests move to different commits becomes the text of the newer one', async (context) => {
  const { rooms, place } = await openPlace(context)
  await rooms.read(place)
  const older = { ...place, readFile: async () => ({ commitId: 'c2', text: 'Tides and winds.\n' }) }
  const newer = { ...place, readFile: async () => ({ commitId: 'c3', text: 'Tides and winds. Rain.\n' }) }
  await Promise.all([rooms.read(older), rooms.read(newer)])
  assert.equal((await rooms.read(newer))?.text, 'Tides and winds. Rain.\n')
})

test('a host with as many rooms as it may have closes one without members, and its draft stays', async (context) => {
  const { rooms, place, bob, draft, userId } = await beginDraft(context)
  const at = (path: string): RoomPlace => ({ ...place, key: { ...place.key, path } })
  await rooms.replace(at('first.tex'), { userId, text: 'Calm.\n', baseRevision: 0 })
  for (let count = 2; count < roomLimits.rooms; count += 1) await rooms.read(at(`${count}.tex`))
  const last = await rooms.read(at('last.tex'))
  const first = await rooms.read(at('first.tex'))
  await bob.type('High ')
  const { text, revision } = (await rooms.read(place)) ?? {}
  assert.deepEqual(
    [last?.text, first?.text, text, revision],
    ['Tides.\n', 'Calm.\n', 'High Waves.\n', draft.revision + 1],
  )
})

test('a branch that cannot be read does not keep others from being followed', async (context) => {
  const { rooms, place, drafts, userId } = await openPlace(context)
  let file = { commitId: 'c', text: 'Tides.\n' }
  const fail = async (): Promise<never> => {
    throw new Error('damaged')
  }
  await joinRoom(rooms, { ...place, key: { ...place.key, path: 'damaged.tex' }, findHead: fail }, userId)
  await joinRoom(rooms, { ...place, findHead: async () => file.commitId, readFile: async () => file }, userId)
  file = { commitId: 'c2', text: 'Tides and winds.\n' }
  const stored = await eventually(() => drafts.find(place.key), { until: (draft) => draft !== null })
  assert.equal(stored?.openedId, 'c2')
})

/** Whether a promise has been resolved after all work that is ready. */
async function isPending(promise: Promise<void>): Promise<boolean> {
  let isOver = false
  void promise.then(() => (isOver = true))
  await setImmediate()
  return !isOver
}

test('whenStored() waits until what a connection has sent is stored', async (context) => {
  const { rooms, place, bob, draft, outage, drafts, userId } = await beginDraft(context)
  const sent = { userId, clientId: bob.clientId, count: 1 }
  const stored = rooms.whenStored(place.key, sent, new AbortController().signal)
  const wasPending = [await isPending(stored)]
  outage.isOn = true
  const typing = bob.type('High ')
  await eventually(() => outage.failed, { until: (failed) => failed > 0 })
  wasPending.push(await isPending(stored))
  outage.isOn = false
  await typing
  await stored
  const now = await drafts.find(place.key)
  assert.deepEqual([wasPending, now?.revision], [[true, true], draft.revision + 1])
})

test('whenStored() ends with the connection, with its signal, and without such a connection', async (context) => {
  const { rooms, place, userId } = await openPlace(context)
  const bob = await joinRoom(rooms, place, userId)
  const sent = { userId, clientId: bob.clientId, count: 1 }
  const { signal } = new AbortController()
  await rooms.whenStored(place.key, { ...sent, clientId: sent.clientId + 1 }, signal)
  await rooms.whenStored(place.key, { ...sent, userId: 'another' }, signal)
  await rooms.whenStored({ ...place.key, path: 'other.tex' }, sent, signal)
  const leaving = new AbortController()
  const aborted = rooms.whenStored(place.key, sent, leaving.signal)
  const waiting = rooms.whenStored(place.key, sent, signal)
  const wasPending = [await isPending(aborted), await isPending(waiting)]
  leaving.abort()
  await aborted
  const isStillWaiting = await isPending(waiting)
  bob.leave()
  await waiting
  assert.deepEqual([wasPending, isStillWaiting], [[true, true], true])
})
