import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createHeadingLevels } from './headings.ts'

const texts: readonly (readonly [name: string, tags: string, shown: string])[] = [
  ['one title with its parts', 'h1 h2 h2 h3 h2', 'h2 h3 h3 h4 h3'],
  ['several titles', 'h1 h2 h1', 'h2 h3 h2'],
  ['levels left out', 'h1 h3 h3 h2', 'h2 h3 h3 h3'],
  ['a text that begins deep and rises', 'h4 h2 h1', 'h2 h2 h2'],
  ['more levels than there are', 'h1 h2 h3 h4 h5 h6', 'h2 h3 h4 h5 h6 h6'],
]

for (const [name, tags, shown] of texts) {
  test(`createHeadingLevels() moves ${name} below the heading of the page`, () => {
    assert.equal(tags.split(' ').map(createHeadingLevels()).join(' '), shown)
  })
}
