import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createTokenNotes } from './token-notes.ts'
import type { TokenNote } from './token-notes.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

/** Records what is written, as text. */
function recorder(): {
  readonly written: string[]
  readonly write: (notes: ReadonlyMap<number, TokenNote>) => Promise<void>
} {
  const written: string[] = []
  return {
    written,
    write: async (notes) => {
      for (const [id, { used, refused }] of notes) written.push(`${id} ${used?.route} ${refused?.route}`)
    },
  }
}

test('a thousand uses are written once, with the last use and the last refusal', async () => {
  const { written, write } = recorder()
  const notes = createTokenNotes(write, 20)
  for (let n = 1; n <= 1_000; n += 1) notes.noteUse(7, `GET ${n}`)
  notes.noteRefusal(7, 'POST needs repo:write')
  assert.deepEqual(written, [])
  await eventually(() => written.length)
  await notes.close()
  assert.deepEqual([written, notes.find(7)], [['7 GET 1000 POST needs repo:write'], null])
})

test('pending notes are found before they are written, and written on close', async () => {
  const { written, write } = recorder()
  const notes = createTokenNotes(write)
  notes.noteUse(7, 'GET /user')
  assert.equal(notes.find(7)?.used?.route, 'GET /user')
  await notes.close()
  assert.deepEqual(written, ['7 GET /user undefined'])
})

test('notes that cannot be written are kept for the next attempt', async () => {
  const { written, write } = recorder()
  const failures: Error[] = []
  const notes = createTokenNotes(async (batch) => {
    if (failures.length === 0) {
      failures.push(new Error('database is locked'))
      throw failures[0]
    }
    await write(batch)
  }, 5)
  notes.noteUse(7, 'GET /user')
  await eventually(() => failures.length)
  notes.noteUse(8, 'GET /user/repos')
  await eventually(() => written.length)
  await notes.close()
  assert.deepEqual(written, ['7 GET /user undefined', '8 GET /user/repos undefined'])
})

test('a use that is recorded during a write is not lost', async () => {
  const { written, write } = recorder()
  const first = Promise.withResolvers<undefined>()
  const notes = createTokenNotes(async (batch) => {
    await write(batch)
    await first.promise
  }, 5)
  notes.noteUse(7, 'GET /user')
  await eventually(() => written.length)
  notes.noteUse(7, 'GET /user/repos')
  first.resolve(undefined)
  await notes.close()
  assert.deepEqual(written.at(-1), '7 GET /user/repos undefined')
})
