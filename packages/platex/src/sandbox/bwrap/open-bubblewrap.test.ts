import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { eventually } from '../../../test/support/eventually.ts'
import { openSandbox } from '../open-sandbox.ts'

test('stopWaiting() does not wait for the font caches that a waiting engine needs', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platex-bubblewrap-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const programs = join(folder, 'programs')
  await mkdir(programs)
  // Indexing the fonts takes as long as these two.
  for (const program of ['lualatex', 'xelatex'])
    await writeFile(join(programs, program), '#!/bin/sh\nsleep 2\n', { mode: 0o755 })
  const searchPath = `${programs}:${process.env['PATH']}`
  const sandbox = await openSandbox('required', { cacheDir: join(folder, 'cache'), searchPath, maxWaiting: 1 })
  void sandbox.keepWaiting({ program: 'lualatex', args: [], folder: '', env: {}, prompt: null })
  await eventually(async () => (await readdir(join(folder, 'cache/work'))).length > 0)
  let isPrepared = false
  const prepared = sandbox.prepareFonts().then(() => (isPrepared = true))
  await sandbox.stopWaiting()
  const wasPrepared = isPrepared
  await prepared
  assert.deepEqual([wasPrepared, isPrepared], [false, true])
})
