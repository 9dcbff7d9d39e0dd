import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listIncludedFiles } from './list-included-files.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('listIncludedFiles lists names relative to the workspace', () => {
  const files = new Map([
    ['paper/main.tex', bytes('\\include{part/one}\\include {../two}\\includegraphics{a}\\include{}')],
    ['paper/notes.txt', bytes('\\include{three}')],
  ])
  assert.deepEqual(listIncludedFiles(files, 'paper'), ['paper/part/one', 'two'])
})

test('listIncludedFiles stops after more files than a workspace has room for', () => {
  const text = Array.from({ length: 100_000 }, (_, at) => `\\include{f${at}}`).join('')
  assert.equal(listIncludedFiles(new Map([['main.tex', bytes(text)]]), '').length, 2_000)
})
