import assert from 'node:assert/strict'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeTestFolder } from '../../test/support/git/git-repository.ts'
import { makeFolders } from './make-folders.ts'

test('a folder is created with its parents, and the first missing one is returned', async (t) => {
  const root = makeTestFolder(t)
  const first = await makeFolders(join(root, 'a/b/c'), 0o700)
  const again = await makeFolders(join(root, 'a/b/c'), 0o700)
  const modes = ['a', 'a/b', 'a/b/c'].map((path) => statSync(join(root, path)).mode & 0o777)
  assert.deepEqual([first, again, modes], [join(root, 'a'), undefined, [0o700, 0o700, 0o700]])
})

test('a folder that two callers create at once exists for both', async (t) => {
  const root = makeTestFolder(t)
  await Promise.all([
    makeFolders(join(root, 'a/b/c')),
    makeFolders(join(root, 'a/b/c')),
    makeFolders(join(root, 'a/b')),
  ])
  assert.equal(statSync(join(root, 'a/b/c')).isDirectory(), true)
})

test('a folder that accepts no other one is an error', async () => {
  await assert.rejects(makeFolders('/proc/texproof/backups'), { code: 'ENOENT' })
})

test('a file, a path below one and a dangling link are errors', async (t) => {
  const root = makeTestFolder(t)
  writeFileSync(join(root, 'file'), '')
  symlinkSync('nowhere', join(root, 'link'))
  const codes = ['file', 'file/a', 'file/a/b', 'link'].map((path) =>
    makeFolders(join(root, path)).catch((error: NodeJS.ErrnoException) => error.code),
  )
  assert.deepEqual(await Promise.all(codes), ['EEXIST', 'EEXIST', 'EEXIST', 'EEXIST'])
})
