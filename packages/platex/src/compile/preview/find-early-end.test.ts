import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEarlyEnd, positionOfLine } from './find-early-end.ts'

const paragraph = `${'Tides rise and fall. '.repeat(300)}\n`

function endOf(body: string): string | null {
  const root = Buffer.from(`\\documentclass{article}\n\\begin{document}\nEdit.\n\n${body}\\end{document}\n`)
  const end = findEarlyEnd(root, root.indexOf('Edit.'))
  return end === null ? null : root.subarray(end).toString().trim().slice(0, 12)
}

test('a document can end at the first blank line a page after the edit', () => {
  assert.equal(endOf(`${paragraph}\nNext.\n\nLast.\n`), 'Next.\n\nLast.')
})

test('a document cannot end within an environment', () => {
  assert.equal(endOf(`\\begin{quote}\n${paragraph}\nInside.\n\\end{quote}\n\nAfter.\n`), 'After.\n\\end{'.slice(0, 12))
})

test('a document cannot end within a group', () => {
  assert.equal(endOf(`{${paragraph}\nInside.}\n\nAfter it all.\n`), 'After it all')
})

test('braces in verbatim text, comments and escapes open no group', () => {
  assert.equal(endOf(`\\begin{verbatim}\n{\n\\end{verbatim}\n% {\n\\{${paragraph}\nAfter it all.\n`), 'After it all')
})

test('a document with less text than a page after the edit has no early end', () => {
  assert.equal(endOf('Short.\n\n'), null)
})

test('the position of a line is that of its first character', () => {
  assert.equal(positionOfLine(Buffer.from('one\ntwo\nthree'), 3), 8)
})
