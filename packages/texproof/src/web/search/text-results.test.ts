import assert from 'node:assert/strict'
import { test } from 'node:test'

import { exampleRepository } from '../../../test/support/example-repository.ts'
import { textResults } from './text-results.ts'

const tides = exampleRepository()
const moon = { ...tides, id: 2, name: 'moon' }

function wordsOf(results: unknown): string {
  return String(results)
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a complete search without a result says that no file contains the text', () => {
  const searched = [{ repository: tides, lines: [], isWhole: true }]
  assert.equal(wordsOf(textResults(searched, 'neap')), 'No file contains "neap".')
})

test('a repository whose search did not finish without a result is named', () => {
  const searched = [
    { repository: tides, lines: [], isWhole: false },
    { repository: moon, lines: [], isWhole: true },
  ]
  assert.equal(wordsOf(textResults(searched, 'neap')), 'The search did not finish in alice/tides. Try a longer text.')
})

test('a repository whose search did not finish without a result is named after the results of others', () => {
  const searched = [
    { repository: tides, lines: [], isWhole: false },
    { repository: moon, lines: [{ path: 'main.tex', line: 3, text: 'neap tide' }], isWhole: false },
  ]
  assert.equal(
    wordsOf(textResults(searched, 'neap')),
    'alice/moon at least 1 line main.tex 3 neap tide The search did not finish in alice/tides. Try a longer text.',
  )
})
