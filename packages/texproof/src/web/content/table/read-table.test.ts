import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { readTable } from './read-table.ts'

test('readTable() reads commas, semicolons and tabs, and quoted values', () => {
  assert.deepEqual(
    [
      readTable('a.csv', 'x,"y, z"\n1,"say ""hi"""\n'),
      readTable('a.csv', 'x;y\n1,5;2\n'),
      readTable('a.TSV', 'x\ty\n1\t2\n'),
    ].map((table) => table?.rows),
    [
      [
        ['x', 'y, z'],
        ['1', 'say "hi"'],
      ],
      [
        ['x', 'y'],
        ['1,5', '2'],
      ],
      [
        ['x', 'y'],
        ['1', '2'],
      ],
    ],
  )
})

test('readTable() shows the beginning of a long table, and says so', () => {
  const table = readTable('a.csv', 'n,m\n'.repeat(600))
  assert.deepEqual([table?.rows.length, table?.isWhole], [500, false])
})

test('readTable() accepts any input', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readTable('a.csv', text)))
})
