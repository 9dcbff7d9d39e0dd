import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { makeTestFolder } from '../../../test/support/git/git-repository.ts'
import { notePurge, watchPurges } from './purge-notes.ts'

test('watchPurges() goes on after its file was deleted, and while it cannot be read', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const root = makeTestFolder(t)
  const file = path.join(root, 'purges.log')
  const seen: number[] = []
  const changes = [
    () => notePurge(root, 1),
    () => rmSync(file),
    () => notePurge(root, 2),
    () => rmSync(file),
    () => mkdirSync(file),
    () => rmSync(file, { recursive: true }),
    () => notePurge(root, 300),
    () => writeFileSync(file, '4\n'),
  ]
  const stop = watchPurges(root, (id) => seen.push(id))
  for (const change of changes) {
    change()
    t.mock.timers.tick(1_000)
  }
  stop()
  assert.deepEqual(seen, [1, 2, 300, 4])
})
