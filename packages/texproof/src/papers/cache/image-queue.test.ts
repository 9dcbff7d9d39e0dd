import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'

import { ClientDisconnected, runForClient } from '../../base/client-signal.ts'
import { TooManyWaiting } from '../../base/limiter.ts'
import { createImageQueue, type ImageQueue } from './image-queue.ts'

type Found = { readonly kind: 'drawn' } | { readonly kind: 'failed' }
const drawn: Found = { kind: 'drawn' }
const failed: Found = { kind: 'failed' }

/** A queue, the paths whose drawing has started, and a function that ends the drawing of a path. */
function openQueue(): {
  readonly find: (path: string, who: { readonly owner: string; readonly requester: string }) => Promise<Found>
  readonly started: readonly string[]
  readonly end: (path: string, found?: Found) => Promise<void>
  readonly queue: ImageQueue<Found>
} {
  const queue = createImageQueue<Found>({
    requester: { atOncePerKey: 2, maxWaitingPerKey: 1 },
    owner: { atOnce: 2, atOncePerKey: 1 },
  })
  const started: string[] = []
  const stored = new Set<string>()
  const ends = new Map<string, (found: Found) => void>()
  return {
    queue,
    started,
    find: (path, { owner, requester }) =>
      queue.find({
        path,
        ownerId: owner,
        requesterId: requester,
        findStored: async () => (stored.has(path) ? drawn : null),
        async draw() {
          started.push(path)
          const { promise, resolve } = Promise.withResolvers<Found>()
          ends.set(path, resolve)
          const found = await promise
          if (found.kind === 'drawn') stored.add(path)
          return found
        },
      }),
    async end(path, found = drawn) {
      ends.get(path)?.(found)
      await settle()
    },
  }
}

/** Lets everything run that waits for no drawing. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await nextRound()
}

test('slow images of one owner do not delay the images of another', async () => {
  const { find, started, end } = openQueue()
  const slow = [1, 2, 3, 4].map((page) =>
    find(`slow-${page}`, { owner: 'mallory', requester: `network-${Math.ceil(page / 2)}` }),
  )
  await settle()
  const found = find('tides', { owner: 'alice', requester: 'bob' })
  await settle()
  assert.deepEqual(started, ['slow-1', 'tides'])
  await end('tides')
  assert.deepEqual(await found, drawn)
  for (const page of [1, 2, 3, 4]) await end(`slow-${page}`)
  await Promise.all(slow)
})

test('a requester with too many waiting images is refused, and another one is not', async () => {
  const { find, end } = openQueue()
  const mallory = { owner: 'mallory', requester: 'mallory' }
  const waiting = ['1', '2', '3'].map((path) => find(path, mallory))
  await assert.rejects(find('4', mallory), TooManyWaiting)
  const other = find('5', { owner: 'alice', requester: 'bob' })
  await settle()
  for (const path of ['5', '1', '2', '3']) await end(path)
  assert.deepEqual(await Promise.all([other, ...waiting]), [drawn, drawn, drawn, drawn])
})

test('a failure is kept, and an image is drawn once for all who request it', async () => {
  const { find, started, end } = openQueue()
  const requests = ['bob', 'carol'].flatMap((requester) =>
    ['whole', 'damaged'].map((path) => find(path, { owner: 'alice', requester })),
  )
  await settle()
  await end('whole')
  await end('damaged', failed)
  const later = ['whole', 'damaged'].map((path) => find(path, { owner: 'alice', requester: 'dave' }))
  assert.deepEqual(
    [await Promise.all(requests), await Promise.all(later), started],
    [
      [drawn, failed, drawn, failed],
      [drawn, failed],
      ['whole', 'damaged'],
    ],
  )
})

test('an image is not drawn if all clients have left before its turn', async () => {
  const { find, started, end } = openQueue()
  const [gone, present] = [new AbortController(), new AbortController()]
  const wanted = { owner: 'alice', requester: 'bob' }
  const first = runForClient(present.signal, () => find('first', wanted))
  const left = ['second', 'third'].map((path) => runForClient(gone.signal, () => find(path, wanted)))
  await settle()
  gone.abort()
  const outcomes = await Promise.allSettled(left)
  await end('first')
  assert.deepEqual(
    [outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason instanceof ClientDisconnected), started],
    [[true, true], ['first']],
  )
  assert.deepEqual(await first, drawn)
})

test('an image whose drawing has begun is kept for the next request', async () => {
  const { find, started, end } = openQueue()
  const client = new AbortController()
  const wanted = { owner: 'alice', requester: 'bob' }
  const first = runForClient(client.signal, () => find('tides', wanted))
  await settle()
  client.abort()
  await assert.rejects(first, ClientDisconnected)
  const again = find('tides', wanted)
  await settle()
  await end('tides')
  assert.deepEqual([await again, started], [drawn, ['tides']])
})
