import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findEarlyEnd, positionOfLine } from './find-early-end.ts'

const paragraph = `${'Tides rise and fall. '.repeat(300)}\n`

function endOf(body: string): string | null {
  const root = Buffer.from(`\\documentclass{article}\n\\begin{document}\nEdit.\n\n${body}\\end{document}\n`)
  const end = findEarlyEnd({
    source: root,
    editedAt: root.indexOf('Edit.'),
    nextPageAt: null,
    isRoot: true,
    isSlides: false,
  })
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

test('a document with the line ends of Windows has the same blank lines', () => {
  assert.equal(endOf(`${paragraph}Next.\r\n\r\nLast.\r\n`), 'Last.\r\n\\end{')
})

test('a document can end soon after the beginning of the next page', () => {
  const source = Buffer.from(`Edit.\n\n${'Tides rise and fall.\n\n'.repeat(200)}`)
  const end = findEarlyEnd({ source, editedAt: 0, nextPageAt: 1_000, isRoot: false, isSlides: false })
  assert.equal(end, source.indexOf('\n\n', 2_500) + 1)
})

test('slides can end with the frame of the edit', () => {
  const source = Buffer.from(
    '\\begin{frame}\nOne.\n\\end{frame}\n\\begin{frame}\nTwo.\n\\end{frame}\n\\section{Three}\n',
  )
  const end = findEarlyEnd({ source, editedAt: source.indexOf('Two'), nextPageAt: null, isRoot: false, isSlides: true })
  assert.equal(source.subarray(end ?? 0).toString(), '\n\\section{Three}\n')
})

test('an included file has no preamble', () => {
  const source = Buffer.from(`\\chapter{Tides}\n\n${paragraph}\nNext.\n\nLast.\n`)
  const end = findEarlyEnd({ source, editedAt: 0, nextPageAt: null, isRoot: false, isSlides: false })
  assert.equal(source.subarray(end ?? 0).toString(), '\nNext.\n\nLast.\n')
})

test('the position of a line is the position of its first character', () => {
  assert.equal(positionOfLine(Buffer.from('one\ntwo\nthree'), 3), 8)
})
