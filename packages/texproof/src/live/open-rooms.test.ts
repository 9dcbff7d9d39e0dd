/** Rooms while the database or the repository cannot be read: an error ends a connection at most, never the server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { pino } from 'pino'
import { WebSocket, WebSocketServer } from 'ws'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestRepository } from '../../test/support/database/open-test-store.ts'
import { createTestDatabase } from '../../test/support/database/test-database.ts'
import { openStore } from '../store/store.ts'
import { openRooms } from './open-rooms.ts'
import type { RoomPlace } from './rooms.ts'
import { serveSocket } from './serve-socket.ts'

async function openPlace(context: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-rooms-'))
  const outage = { isOn: false, failed: 0 }
  const beforeStatement = (): void => {
    if (!outage.isOn) return
    outage.failed += 1
    throw new Error('the database is not available')
  }
  const store = await openStore({ dataDir, databaseUrl: await createTestDatabase(dataDir), beforeStatement })
  const rooms = openRooms({ store, log: pino({ level: 'silent' }) })
  context.after(async () => {
    await rooms.close()
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  const { owner, repositoryId } = await addTestRepository(store)
  const place: RoomPlace = {
    key: { repositoryId, branch: 'main', path: 'main.tex' },
    readFile: async () => ({ commitId: 'c', text: 'Tides.\n' }),
  }
  return { rooms, place, outage, userId: owner.id }
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
