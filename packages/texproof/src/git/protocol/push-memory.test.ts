import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createPushMemory, limitPushes, PUSH_MEMORY } from './push-memory.ts'

const GIBIBYTE = 1024 ** 3
const { largeBytes, smallBytes } = PUSH_MEMORY

test('the full limits of pushes take at most a fifth of the memory, but one push has it', () => {
  const limits = [1, 8, 16, 64].map((size) => limitPushes(size * GIBIBYTE))
  assert.deepEqual(limits, [
    { largeAtOnce: 1, atOnce: 4, atOncePerUser: 1 },
    { largeAtOnce: 1, atOnce: 9, atOncePerUser: 2 },
    { largeAtOnce: 2, atOnce: 19, atOncePerUser: 4 },
    { largeAtOnce: 10, atOnce: 76, atOncePerUser: 19 },
  ])
})

test('the first pushes have the full limit, one for each user, and further ones a smaller limit', () => {
  const memory = createPushMemory(2)
  const users = ['alice', 'alice', 'ben', 'carol']
  const taken = users.map((user) => memory.take(user))
  assert.deepEqual(
    taken.map(({ maxBytes }) => maxBytes),
    [largeBytes, smallBytes, largeBytes, smallBytes],
  )
  for (const { release } of taken) {
    release()
    release()
  }
  assert.deepEqual(
    users.map((user) => memory.take(user).maxBytes),
    [largeBytes, smallBytes, largeBytes, smallBytes],
  )
})
