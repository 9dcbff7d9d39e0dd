import assert from 'node:assert/strict'
import { test } from 'node:test'

import { StoreBusy } from '../store/sqlite/store-errors.ts'
import { toErrorResponse } from './respond.ts'

function answerTo(error: unknown) {
  const { status, headers, body } = toErrorResponse(error, 'https://docs.github.com/rest')
  return [status, headers, JSON.parse(body).message]
}

test('an internal error is answered without details', () => {
  const errors = [
    new Error('open /var/lib/texproof/secret'),
    'a text',
    new Error('create repository', { cause: new StoreBusy({ cause: null }) }),
    new Error('create repository', { cause: Object.assign(new Error('write'), { code: 'ENOSPC' }) }),
  ]
  assert.deepEqual(errors.map(answerTo), [
    [500, [], 'Server Error'],
    [500, [], 'Server Error'],
    [503, ['Retry-After', '1'], 'Service Unavailable'],
    [507, [], 'Insufficient Storage'],
  ])
})
