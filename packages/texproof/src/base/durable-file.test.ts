import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeTestFolder } from '../../test/support/git/git-repository.ts'
import { makeFolderDurably, replaceDurably } from './durable-file.ts'

test('replaceDurably() creates a file, replaces it and leaves no draft', async (t) => {
  const folder = makeTestFolder(t)
  const path = join(folder, 'HEAD')
  await replaceDurably(path, 'first')
  await replaceDurably(path, 'second')
  assert.deepEqual([readdirSync(folder), readFileSync(path, 'utf8')], [['HEAD'], 'second'])
})

test('makeFolderDurably() creates a folder with its parents, and accepts an existing one', async (t) => {
  const folder = makeTestFolder(t)
  await makeFolderDurably(join(folder, 'a/b/c'))
  await makeFolderDurably(join(folder, 'a/b/c'))
  assert.deepEqual(readdirSync(folder, { recursive: true }).toSorted(), ['a', 'a/b', 'a/b/c'])
})
