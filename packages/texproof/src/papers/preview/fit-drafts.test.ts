import assert from 'node:assert/strict'
import { test } from 'node:test'

import { fitDrafts } from './fit-drafts.ts'

test('fitDrafts keeps drafts of files and of new files', () => {
  const drafts = new Map([
    ['main.tex', 'One.'],
    ['notes/ebb.tex', 'Two.'],
    ['new/flood.tex', 'Three.'],
  ])
  assert.deepEqual(fitDrafts(['main.tex', 'notes/tides.tex'], drafts), { fitting: drafts, omitted: [] })
})

test('fitDrafts omits drafts with the path of a folder, and drafts in a folder with the path of a file', () => {
  const drafts = new Map([
    ['notes', 'One.'],
    ['data/tides/ebb.csv', 'Two.'],
    ['main.tex', 'Three.'],
  ])
  assert.deepEqual(fitDrafts(['main.tex', 'notes/old/tides.tex', 'data/tides'], drafts), {
    fitting: new Map([['main.tex', 'Three.']]),
    omitted: ['notes', 'data/tides/ebb.csv'],
  })
})

test('fitDrafts keeps the first of two drafts that exclude each other', () => {
  const drafts = new Map([
    ['notes/tides.tex', 'One.'],
    ['notes', 'Two.'],
  ])
  assert.deepEqual(fitDrafts([], drafts), { fitting: new Map([['notes/tides.tex', 'One.']]), omitted: ['notes'] })
})
