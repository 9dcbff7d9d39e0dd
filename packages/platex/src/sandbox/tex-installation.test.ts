import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { findTexInstallation } from './tex-installation.ts'

let root: string

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'platex-installation-')))
})

afterEach(() => rm(root, { recursive: true }))

/** The visible folders below `root` if `programDir` has TeX whose tree is `share/texmf`. */
async function visibleFolders(programDir: string): Promise<string[]> {
  const tree = join(root, 'share/texmf')
  await mkdir(tree, { recursive: true })
  await mkdir(programDir, { recursive: true })
  for (const name of ['pdflatex', 'kpsewhich']) {
    await writeFile(join(programDir, name), `#!/bin/sh\necho ${tree}\n`)
    await chmod(join(programDir, name), 0o755)
  }
  const { trees } = await findTexInstallation(programDir)
  return trees.filter((path) => path.startsWith(dirname(root)) || root.startsWith(path))
}

test('findTexInstallation shows the whole installation of programs in bin/<platform>', async () => {
  assert.deepEqual(await visibleFolders(join(root, 'bin/x86_64-linux')), [root])
})

test('findTexInstallation shows only the programs and trees of an installation with its programs in bin', async () => {
  assert.deepEqual(await visibleFolders(join(root, 'bin')), [join(root, 'bin'), join(root, 'share/texmf')])
})

test('findTexInstallation never shows a home folder', async (context) => {
  const home = homedir()
  context.after(() => void (process.env['HOME'] = home))
  process.env['HOME'] = join(root, 'alice')
  await mkdir(join(root, 'alice'))
  const programs = join(root, 'bin/x86_64-linux')
  assert.deepEqual(await visibleFolders(programs), [programs, join(root, 'share/texmf')])
})

test('findTexInstallation shows no programs in a home folder itself', async (context) => {
  const home = homedir()
  context.after(() => void (process.env['HOME'] = home))
  process.env['HOME'] = join(root, 'alice')
  assert.deepEqual(await visibleFolders(join(root, 'alice')), [join(root, 'share/texmf')])
})
