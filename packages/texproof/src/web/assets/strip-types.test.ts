import assert from 'node:assert/strict'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { stripTypes } from './strip-types.ts'

const source = 'const line: number = 3\n'
const stripped = 'const line         = 3\n'

test('types are stripped once: later calls read what the first one kept', async (t) => {
  const folder = makeFolder(t)
  assert.equal(stripTypes(source, folder), stripped)
  const [name = '', ...others] = await readdir(join(folder, 'scripts'))
  assert.deepEqual(others, [])
  await writeFile(join(folder, 'scripts', name), 'kept')
  assert.deepEqual([stripTypes(source, folder), stripTypes(`${source}\n`, folder)], ['kept', `${stripped}\n`])
})

test('the unfinished file of a thread, or of a process with the same id, is left alone', async (t) => {
  const folder = makeFolder(t)
  stripTypes(source, folder)
  const [name = ''] = await readdir(join(folder, 'scripts'))
  const unfinished = `${name}.${process.pid}`
  await rename(join(folder, 'scripts', name), join(folder, 'scripts', unfinished))
  stripTypes(source, folder)
  assert.deepEqual((await readdir(join(folder, 'scripts'))).toSorted(), [name, unfinished])
})

test('types are stripped without a folder, and where it cannot be written', async (t) => {
  const file = join(makeFolder(t), 'file')
  await writeFile(file, '')
  assert.deepEqual([stripTypes(source, null), stripTypes(source, file)], [stripped, stripped])
})
