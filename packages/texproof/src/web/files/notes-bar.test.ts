import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BuildProblem } from '../../domain/build.ts'
import { chooseNotes, linesHref, notesBar, readNotesShown, type LinesView } from './notes-bar.ts'

const shared = { file: 'main.tex', line: 1, source: 'latex' } as const
const error: BuildProblem = { ...shared, type: 'error', message: 'Undefined', context: null }
const warning: BuildProblem = { ...shared, type: 'warning', code: 'undefined-reference', message: 'No label' }
const box: BuildProblem = { ...shared, type: 'warning', code: 'overfull-hbox', message: 'Overfull' }

const view: LinesView = { isSource: false, from: 1, notesShown: 'usual' }

test('chooseNotes() omits overfull and underfull lines by default', () => {
  const notes = [error, warning, box]
  assert.deepEqual(
    ['', 'all', 'errors', 'none', 'nonsense'].map((choice) => chooseNotes(notes, readNotesShown(choice))),
    [[error, warning], notes, [error], [], [error, warning]],
  )
})

test('notesBar() counts the notes and links to the other choices', async () => {
  const words = String(await notesBar([error, box], view))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  assert.equal(words.trim(), '1 error, 1 overfull or underfull box. Show: Errors All None')
})

test('notesBar() marks the current choice in a file without warnings', async () => {
  const current = async (notes: readonly BuildProblem[]) =>
    /aria-current="true">([^<]+)/.exec(String(await notesBar(notes, view)))?.[1]
  assert.deepEqual(
    [await current([error]), await current([warning]), await current([box])],
    ['Errors', 'Warnings', 'None'],
  )
})

test('notesBar() keeps the view and the part of the file', async () => {
  const text = String(await notesBar([error, box], { ...view, isSource: true, from: 8001 }))
  assert.deepEqual(
    [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href?.replaceAll('&amp;', '&')),
    ['errors', 'all', 'none'].map((notes) => `?view=source&from=8001&notes=${notes}`),
  )
})

test('linesHref() omits what is usual', () => {
  assert.equal(linesHref(view), '?')
})
