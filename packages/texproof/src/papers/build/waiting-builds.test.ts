import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Build } from '../../domain/build.ts'
import { createWaitingBuilds, type WaitingBuild } from './waiting-builds.ts'

const entry = (id: number, ref: string, ownerId: string): WaitingBuild => ({
  build: { id, repositoryId: id % 2, ref } as Build,
  ownerId,
})
const ids = (entries: Iterable<WaitingBuild>): readonly number[] => [...entries].map(({ build }) => build.id)

test('createWaitingBuilds() finds builds by id, ref, repository and owner, until they are removed', () => {
  const waiting = createWaitingBuilds<WaitingBuild>()
  const entries = [entry(1, 'a', 'alice'), entry(2, 'b', 'bob'), entry(3, 'a', 'alice'), entry(5, 'c', 'alice')]
  const [first, , third] = entries
  waiting.add(entries, 'front')
  const removed = [first, third].map((each) => each !== undefined && waiting.remove(each))
  const again = first !== undefined && waiting.remove(first)
  assert.deepEqual(
    {
      removed: [...removed, again],
      size: waiting.size,
      found: [1, 2, 5].map((id) => waiting.find(id)?.build.id ?? null),
      ofRef: ids(waiting.listOfRef({ repositoryId: 1, ref: 'a' })),
      ofRepository: ids(waiting.listOfRepository(1)),
      owners: [...waiting.owners()].map(([ownerId, own]) => [ownerId, ids(own)]),
      cleared: ids(waiting.clear()),
      left: [waiting.size, waiting.owners().size],
    },
    {
      removed: [true, true, false],
      size: 2,
      found: [null, 2, 5],
      ofRef: [],
      ofRepository: [5],
      owners: [
        ['alice', [5]],
        ['bob', [2]],
      ],
      cleared: [2, 5],
      left: [0, 0],
    },
  )
})

test('createWaitingBuilds() keeps the order of additions in front and behind', () => {
  const waiting = createWaitingBuilds<WaitingBuild>()
  const [first, second, third, last] = [entry(1, 'a', 'a'), entry(2, 'b', 'a'), entry(3, 'c', 'a'), entry(4, 'd', 'a')]
  waiting.add([third], 'front')
  waiting.add([first, second], 'front')
  waiting.add([last], 'back')
  const order = [last, third, second, first].toSorted(
    (left, right) => waiting.positionOf(left) - waiting.positionOf(right),
  )
  assert.deepEqual(ids(order), [1, 2, 3, 4])
})
