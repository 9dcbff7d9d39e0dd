import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createPushGate } from './push-gate.ts'

const patient = new AbortController().signal

test('createPushGate() lets so many of one user in and keeps the others in their order', async () => {
  const gate = createPushGate(1)
  const entered: string[] = []
  const enter = async (name: string): Promise<() => void> => {
    const leave = await gate.enter('1', patient)
    entered.push(name)
    return leave
  }
  const first = await enter('first')
  const second = enter('second')
  const third = enter('third')
  const before = [...entered]
  first()
  const leaveSecond = await second
  leaveSecond()
  ;(await third)()
  assert.deepEqual([before, entered], [['first'], ['first', 'second', 'third']])
})

test('createPushGate() makes nobody wait for another user', async () => {
  const gate = createPushGate(1)
  await gate.enter('1', patient)
  const leave = await gate.enter('2', patient)
  assert.equal(typeof leave, 'function')
})

test('createPushGate() forgets who gives up waiting and passes the place on', async () => {
  const gate = createPushGate(1)
  const leave = await gate.enter('1', patient)
  const impatient = new AbortController()
  const given = gate.enter('1', impatient.signal)
  const last = gate.enter('1', patient)
  impatient.abort(new Error('gone'))
  await assert.rejects(given, /gone/)
  leave()
  assert.equal(typeof (await last), 'function')
})
