import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { CommitProblem } from '../../../domain/build.ts'
import type { Repository } from '../../../domain/types.ts'
import { marginNote } from './margin-note.ts'

const repository = { name: 'tides', owner: { login: 'alice' } } as unknown as Repository
const message = 'LaTeX Error: Unicode character \u202E (U+202E) not set up for use with LaTeX.'
const problem = { type: 'error', file: 'main.tex', line: 3, message, context: null, source: 'latex', builds: [] }

test('marginNote() removes characters from the words of TeX that would show them in another order', async () => {
  const cleaned = 'Unicode character  (U+202E) not set up'
  for (const summary of [undefined, 'This line contains an invisible character.']) {
    const note = { ...problem, summary } as unknown as CommitProblem
    const html = String(await marginNote(note, { repository, documentCount: 1 }))
    assert.deepEqual([html.includes('\u202E'), html.includes(cleaned)], [false, true], html)
  }
})
