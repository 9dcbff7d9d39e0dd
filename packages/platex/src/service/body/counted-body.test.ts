import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createBodyBudget } from './body-budget.ts'
import { countedBody } from './counted-body.ts'

const MIB = 1024 * 1024
const BUSY = {
  name: 'RequestFault',
  status: 503,
  message: 'Too many large results are being sent at once. Try again shortly.',
}

const TOO_SLOW = new Error('The client reads the result too slowly')

function fill(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => index % 251)
}

test('countedBody sends the bytes of a large body unchanged', async () => {
  const bytes = fill(3 * MIB + 17)
  const body = countedBody(bytes, createBodyBudget(1, 'results'))
  assert.deepEqual(new Uint8Array(await new Response(body).arrayBuffer()), bytes)
})

test('countedBody refuses another large body while earlier ones are not read', () => {
  const budget = createBodyBudget(1, 'results')
  countedBody(new Uint8Array(200 * MIB), budget)
  assert.throws(() => countedBody(new Uint8Array(100 * MIB), budget), BUSY)
})

test('countedBody releases the memory of a body that was read to its end', async () => {
  const budget = createBodyBudget(1, 'results')
  await new Response(countedBody(new Uint8Array(200 * MIB), budget)).arrayBuffer()
  countedBody(new Uint8Array(100 * MIB), budget)
})

test('countedBody releases the memory of a body whose client has disconnected', async () => {
  const budget = createBodyBudget(1, 'results')
  const response = new Response(countedBody(new Uint8Array(200 * MIB), budget))
  await response.body?.cancel()
  countedBody(new Uint8Array(100 * MIB), budget)
})

test('countedBody does not count small bodies', () => {
  const budget = createBodyBudget(1, 'results')
  countedBody(new Uint8Array(256 * MIB), budget)
  assert.deepEqual(countedBody(fill(100), budget), fill(100))
})

test('countedBody ends a body that is not read within fifteen minutes, and releases its memory', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const budget = createBodyBudget(1, 'results')
  const response = new Response(countedBody(new Uint8Array(200 * MIB), budget))
  t.mock.timers.tick(15 * 60_000)
  countedBody(new Uint8Array(200 * MIB), budget)
  await assert.rejects(response.arrayBuffer(), TOO_SLOW)
})

test('countedBody ends the slowest body when another needs its memory after a minute', async (t) => {
  const budget = createBodyBudget(1, 'results')
  const slow = new Response(countedBody(new Uint8Array(200 * MIB), budget))
  const now = performance.now()
  t.mock.method(performance, 'now', () => now + 60_000)
  assert.equal((await new Response(countedBody(new Uint8Array(100 * MIB), budget)).arrayBuffer()).byteLength, 100 * MIB)
  await assert.rejects(slow.arrayBuffer(), TOO_SLOW)
})

test('countedBody ends no body unless that makes enough room', async (t) => {
  const budget = createBodyBudget(1, 'results')
  const old = new Response(countedBody(new Uint8Array(100 * MIB), budget))
  const now = performance.now()
  t.mock.method(performance, 'now', () => now + 60_000)
  countedBody(new Uint8Array(150 * MIB), budget)
  assert.throws(() => countedBody(new Uint8Array(200 * MIB), budget), BUSY)
  assert.equal((await old.arrayBuffer()).byteLength, 100 * MIB)
})
