import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'

import { spawnProgram, startSpawner } from '@texproof/platex/spawner'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { relayOutput } from './relay-output.ts'

const SIZE = 3_000_000

let spawner: { close(): Promise<void> } | null = null
let server: Server
let script = ''
let relayed: Promise<unknown> = Promise.resolve()
let ended: Promise<unknown> = Promise.resolve()
const abort = { signal: new AbortController().signal }

before(async () => {
  spawner = startSpawner(() => {})
  server = createServer((_request, response) => {
    const child = run(script)
    ended = once(child, 'close')
    response.writeHead(200)
    if (child.stdout === null) throw new Error('the program has no output')
    relayed = relayOutput(child.stdout, response, abort.signal)
    relayed.catch(() => {}) // Awaited by each test.
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const parentOfNext = async (): Promise<number> => {
    const { stdout } = run('echo $PPID')
    return stdout === null ? process.pid : Number(String(await buffer(stdout)))
  }
  await eventually(parentOfNext, { until: (parent) => parent !== process.pid })
})
after(async () => {
  server.close()
  await spawner?.close()
})

function run(text: string) {
  const command = { program: '/bin/sh', args: ['-c', text], cwd: '/', env: { PATH: '/usr/bin:/bin' } }
  return spawnProgram(command, ['ignore', 'pipe', 'ignore'])
}

async function request(text: string): Promise<IncomingMessage> {
  script = text
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const [response] = (await once(get({ host: '127.0.0.1', port, agent: false }), 'response')) as [IncomingMessage]
  return response
}

test('a response is the whole output, whether it comes in small or in large pieces', async () => {
  const mixed = await buffer(
    await request(`yes tides | head -c ${SIZE}; for n in 1 2 3; do printf $n; sleep 0.01; done`),
  )
  await relayed
  const large = await buffer(await request(`yes tides | head -c ${SIZE}`))
  await relayed
  const small = await buffer(await request('for n in 1 2 3 4 5 6 7 8 9; do printf $n; sleep 0.01; done'))
  await relayed
  assert.equal(mixed.subarray(SIZE).toString(), '123')
  assert.equal(small.toString(), '123456789')
  assert.ok(large.equals(Buffer.alloc(SIZE, 'tides\n')))
})

test('a slow reader gets the whole output', async () => {
  const response = await request(`yes tides | head -c ${SIZE * 4}`)
  response.pause()
  await eventually(() => response.socket.bytesRead, { until: (bytes) => bytes > 0 })
  assert.ok((await buffer(response)).equals(Buffer.alloc(SIZE * 4, 'tides\n')))
  await relayed
})

test('a program ends when its reader leaves', async () => {
  const response = await request('yes tides')
  response.destroy()
  await assert.rejects(relayed, { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  await ended
})

test('an aborted exchange ends the program and breaks the connection', async () => {
  const controller = new AbortController()
  abort.signal = controller.signal
  const response = await request('yes tides')
  response.resume()
  controller.abort()
  await assert.rejects(once(response, 'end'), { message: 'aborted' })
  await assert.rejects(relayed, { name: 'AbortError' })
  await ended
})
