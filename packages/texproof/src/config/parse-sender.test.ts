import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseSender } from './parse-sender.ts'

test('a sender is one address, with a name or without', () => {
  const texts = ['papers@uni.example', ' Papers of Uni <papers@uni.example> ', 'a@b, c@d', 'a', 'A <a@b>\nBcc: c@d', '']
  assert.deepEqual(
    texts.map((text) => parseSender(text)),
    ['papers@uni.example', 'Papers of Uni <papers@uni.example>', null, null, null, null],
  )
})
