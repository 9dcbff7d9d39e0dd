import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSourceLoads } from './source-loads.ts'
import { createSourceTexts } from './source-texts.ts'

test('listSourceLoads() finds the lines of a command and of its argument', () => {
  const texts = createSourceTexts(
    new Map([['main.tex', '\\usepackage[\n  a]\n  {x, y}\n% \\input{z}\n\\printindex\n']]),
  )
  assert.deepEqual(listSourceLoads(texts, 'main.tex'), [
    { command: 'usepackage', names: ['x', 'y'], line: 1, nameLine: 3 },
    { command: 'printindex', names: [], line: 5, nameLine: 5 },
  ])
})

test('listSourceLoads() finds the lines of a command on each of 300,000 lines', () => {
  const count = 300_000
  const texts = createSourceTexts(new Map([['main.tex', '\\input{a}\n'.repeat(count)]]))
  assert.deepEqual(
    listSourceLoads(texts, 'main.tex').map(({ line }) => line),
    Array.from({ length: count }, (_, at) => at + 1),
  )
})
