import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstat, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { chownTree } from './unprivileged-owner.ts'
import { removeTree } from './remove-tree.ts'

const OWNER = { uid: 65_533, gid: 65_533 }

describe('ownTree, as root', { skip: process.getuid?.() !== 0 && 'only root gives files away' }, () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platex-own-'))
  })

  afterEach(() => removeTree(folder))

  test('changes the owner of folders and files at every depth', async () => {
    await mkdir(join(folder, 'a/b'), { recursive: true })
    await writeFile(join(folder, 'a/b/file'), '')
    await chownTree(folder, OWNER)
    const owners = ['.', 'a', 'a/b', 'a/b/file'].map(async (name) => (await lstat(join(folder, name))).uid)
    assert.deepEqual(await Promise.all(owners), [65_533, 65_533, 65_533, 65_533])
  })

  test('changes the owner of a link, but not of its target', async () => {
    await writeFile(`${folder}.target`, '')
    await symlink(`${folder}.target`, join(folder, 'link'))
    await chownTree(folder, OWNER)
    const owners = [(await lstat(join(folder, 'link'))).uid, (await lstat(`${folder}.target`)).uid]
    await removeTree(`${folder}.target`)
    assert.deepEqual(owners, [65_533, 0])
  })

  test('skips names that are not UTF-8 and folders nested beyond the longest path', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]), '')
    execFileSync('perl', ['-e', 'chdir shift; for (1 .. 1500) { mkdir "nested"; chdir "nested" }', folder])
    await chownTree(folder, OWNER)
    assert.equal((await lstat(folder)).uid, 65_533)
  })
})
