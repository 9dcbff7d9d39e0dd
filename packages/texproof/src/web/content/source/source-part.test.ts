import assert from 'node:assert/strict'
import { test } from 'node:test'

import { linesPerPart, renderSourcePart, startOfPart } from './source-part.ts'

test('renderSourcePart() escapes every line', async () => {
  const bytes = Buffer.from('a < b\r\n"&\'\n')
  assert.deepEqual(await renderSourcePart({ bytes, language: null, from: 1 }), {
    from: 1,
    lines: ['a &lt; b', '"&amp;\''],
    total: 2,
    changesDirection: false,
  })
})

test('renderSourcePart() highlights the requested part', async () => {
  const bytes = Buffer.from(`${'\n'.repeat(linesPerPart)}\\alpha % end\n`)
  assert.deepEqual(await renderSourcePart({ bytes, language: 'latex', from: linesPerPart + 1 }), {
    from: linesPerPart + 1,
    lines: ['<b>\\alpha</b> <i>% end</i>'],
    total: linesPerPart + 1,
    changesDirection: false,
  })
})

test('renderSourcePart() marks characters that change the direction of text, with and without highlighting', async () => {
  const bytes = Buffer.from('a % \u202Eb\nc\n')
  const parts = await Promise.all(
    [null, 'latex' as const].map((language) => renderSourcePart({ bytes, language, from: 1 })),
  )
  const part = { from: 1, total: 2, changesDirection: true }
  assert.deepEqual(parts, [
    { ...part, lines: ['a % <mark>U+202E</mark>b', 'c'] },
    { ...part, lines: ['a <i>% <mark>U+202E</mark>b</i>', 'c'] },
  ])
})

test('renderSourcePart() returns no more lines than one page shows', async () => {
  const bytes = Buffer.alloc(1024 * 1024, '\n')
  const parts = await Promise.all(
    [1, 8_001, 1_048_001, 2_000_001].map((from) => renderSourcePart({ bytes, language: null, from })),
  )
  assert.deepEqual(
    parts.map(({ lines, total }) => [lines.length, total]),
    [
      [8_000, 1_048_576],
      [8_000, 1_048_576],
      [576, 1_048_576],
      [0, 1_048_576],
    ],
  )
})

test('startOfPart() returns the first line of the part that contains a line', () => {
  assert.deepEqual([1, 8_000, 8_001, 16_001].map(startOfPart), [1, 1, 8_001, 16_001])
})
