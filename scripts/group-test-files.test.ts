import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

import { groupTestFiles } from './group-test-files.ts'

const names = 'packages/texproof/src/domain/names.test.ts'
const oneLine = 'packages/texproof/src/domain/text/one-line.test.ts'
const alone = [
  'packages/texproof/test/web/crawl.test.ts',
  'packages/platex/src/sandbox/limits/cgroup.test.ts',
  // It has hooks.
  'packages/texproof/src/git/protocol/serve-pack.test.ts',
]

test('unit tests of one folder share a process, and other files keep their own', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-groups-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [first, ...others] = groupTestFiles([names, ...alone, oneLine], folder)
  assert.deepEqual(
    [first?.title, others],
    ['packages/texproof/src/domain (2 files)', alone.map((file) => ({ path: resolve(file), title: file }))],
  )
  const imported = readFileSync(first?.path ?? '', 'utf8')
  assert.deepEqual(
    [...imported.matchAll(/import 'file:\/\/(.*)'/g)].map((match) => match[1]),
    [names, oneLine].map((file) => resolve(file)),
  )
})
