import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { CommitProblem } from '../../domain/build.ts'
import { codeTable, type ShownSource } from './code-table.ts'

const repository = { owner: { login: 'alice' }, name: 'tides' } as ShownSource['place']['repository']
const place = { repository, documentCount: 1 }
const part = { from: 11, lines: ['a', '', '<b>c</b>'], total: 13, changesDirection: false }

/** The rows of a table as number and source, in order. */
function rowsOf(notes: readonly CommitProblem[]): readonly string[] {
  const text = String(codeTable({ part, notes, notesShown: 'all', place, editHref: null }))
  return [...text.matchAll(/<tr id="?L(\d+)[^]*?<code>([^]*?)<\/code/g)].map(([, number, line]) => `${number} ${line}`)
}

test('codeTable() has one row for each line, including for lines with problems', () => {
  const problem = { type: 'error', line: 12, column: null, message: 'Undefined control sequence', builds: [] }
  const rows = ['11 a', '12 \n', '13 <b>c</b>']
  assert.deepEqual([rowsOf([]), rowsOf([problem as unknown as CommitProblem]), rowsOf([])], [rows, rows, rows])
})

test('codeTable() shows 500 notes, errors first, and links to the log with the others', () => {
  const builds = [{ number: 7 }]
  const warning = { type: 'warning', line: 12, message: 'Overfull', builds } as unknown as CommitProblem
  const error = { type: 'error', line: 13, message: 'Undefined', builds } as unknown as CommitProblem
  const elsewhere = { ...warning, line: 2 }
  const notes = [...Array.from({ length: 600 }, () => warning), error, ...Array.from({ length: 600 }, () => elsewhere)]
  const text = String(codeTable({ part, notes, notesShown: 'all', place, editHref: null }))
  const omitted = /<p class="quiet">([^]*?)<\/p>/.exec(text)?.[1]?.replaceAll(/\s+/g, ' ').trim()
  assert.deepEqual(
    [text.match(/class="note note-error"/g)?.length, text.match(/class="note note-warning"/g)?.length, omitted],
    [1, 499, '101 more notes are in <a href="/alice/tides/builds/7">the log</a>.'],
  )
})

test('codeTable() links to other parts with the same choice of notes', () => {
  const long = { ...part, from: 8001, total: 30_000 }
  const text = String(codeTable({ part: long, notes: [], notesShown: 'errors', place, editHref: null }))
  assert.deepEqual(
    [...text.matchAll(/href="(\?[^"]+)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&')),
    ['?view=source&notes=errors', '?view=source&from=8004&notes=errors'],
  )
})
