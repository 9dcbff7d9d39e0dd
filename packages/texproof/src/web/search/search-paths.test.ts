import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { rankPaths } from './search-paths.ts'

test('rankPaths() ranks names before folders, starts before ends, adjacent letters before others', () => {
  const paths = ['main/x.tex', 'a-main.tex', 'm/a/i/n.tex', 'main.tex', 'notes.tex']
  assert.deepEqual(rankPaths(paths, 'main'), ['main.tex', 'a-main.tex', 'main/x.tex', 'm/a/i/n.tex'])
})

test('rankPaths() keeps exactly the paths that contain the letters in order', () => {
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'C'), maxLength: 8 })
  const query = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(path), query, (paths, letters) => {
      const pattern = new RegExp([...letters].join('.*'), 'i')
      assert.deepEqual([...rankPaths(paths, letters)].sort(), paths.filter((each) => pattern.test(each)).sort())
    }),
  )
})
