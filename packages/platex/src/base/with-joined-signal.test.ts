import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, test } from 'node:test'

import { orAborted } from './or-aborted.ts'
import { withJoinedSignal } from './with-joined-signal.ts'

describe('withJoinedSignal', () => {
  test('fires with the reason of the first signal, and removes all listeners afterwards', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const reason = await withJoinedSignal([first.signal, undefined, second.signal], async (signal) => {
      second.abort('second')
      first.abort('first')
      return signal.reason
    })
    assert.equal(reason, 'second')
    assert.deepEqual(getEventListeners(first.signal, 'abort'), [])
  })

  test('has already fired if one of the signals has', async () => {
    const isAborted = await withJoinedSignal([AbortSignal.abort()], async (signal) => signal.aborted)
    assert.equal(isAborted, true)
  })

  test('removes its listeners if the work fails', async () => {
    const { signal } = new AbortController()
    await assert.rejects(
      withJoinedSignal([signal], () => Promise.reject(new Error('no'))),
      { message: 'no' },
    )
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })
})

describe('orAborted', () => {
  test('returns the result of the work, and removes its listener', async () => {
    const { signal } = new AbortController()
    assert.equal(await orAborted(Promise.resolve(7), signal), 7)
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })

  test('rejects with the reason while the work continues', async () => {
    const abort = new AbortController()
    const waiting = orAborted(new Promise(() => {}), abort.signal)
    abort.abort('enough')
    assert.equal(await waiting.catch((reason: unknown) => reason), 'enough')
  })
})
