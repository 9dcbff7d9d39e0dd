import assert from 'node:assert/strict'
import { test } from 'node:test'

import { documentTime } from './document-time.ts'

const COMMITTED_AT = Date.UTC(2026, 10, 22, 15, 13, 6, 500)
const DAY = Date.UTC(2026, 10, 22) / 1000
const MOMENT = Date.UTC(2026, 10, 22, 15, 13, 6) / 1000

function filesOf(text: string, path = 'main.tex'): ReadonlyMap<string, Uint8Array> {
  return new Map([[path, Buffer.from(text)]])
}

test('a document sees the beginning of the day of its commit', () => {
  const files = filesOf('\\date{\\today} $2 \\times 3$')
  assert.deepEqual(documentTime(COMMITTED_AT, files), { epoch: DAY, isOfWholeDay: true })
})

for (const text of ['\\the\\time', '\\usepackage{datetime2}', '\\pdfcreationdate', '\\usepackage{hyperxmp}']) {
  test(`a document with ${text} sees the time of its commit`, () => {
    assert.deepEqual(documentTime(COMMITTED_AT, filesOf(text)), { epoch: MOMENT, isOfWholeDay: false })
  })
}

test('a word in a file that is no source does not matter', () => {
  const files = filesOf('\\the\\time', 'notes.md')
  assert.deepEqual(documentTime(COMMITTED_AT, files), { epoch: DAY, isOfWholeDay: true })
})

test('a commit before 1970 counts as one at its start', () => {
  assert.deepEqual(documentTime(-5_000, filesOf('')), { epoch: 0, isOfWholeDay: true })
})
