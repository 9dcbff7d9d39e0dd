import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

import { groupTestFiles } from './group-test-files.ts'

const names = 'packages/texproof/src/domain/names.test.ts'
const oneLine = 'packages/texproof/src/domain/text/one-line.test.ts'
const alone = [
  'packages/texproof/test/cli/serve.test.ts',
  'packages/platex/src/sandbox/limits/cgroup.test.ts',
  // It changes what the whole process does.
  'packages/texproof/test/git/push.test.ts',
]

test('small tests of one folder share a process, each file as a suite, and other files keep their own', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-groups-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [first, ...others] = groupTestFiles([names, ...alone, oneLine], folder)
  assert.deepEqual(
    [first?.title, others],
    ['packages/texproof/src/domain (2 files)', alone.map((file) => ({ path: resolve(file), title: file }))],
  )
  const imported = readFileSync(first?.path ?? '', 'utf8')
  assert.deepEqual(
    [...imported.matchAll(/^describe\('(.*)', \(\) => import\('file:\/\/(.*)'\)\)$/gm)].map((match) => match.slice(1)),
    [names, oneLine].map((file) => [file, resolve(file)]),
  )
})

test('a group has a limited number of files, and a file that takes long has its own process', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-groups-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const web = ['crawl', 'every-page', 'keyboard', 'long-names', 'near-pages'].map(
    (name) => `packages/texproof/test/web/${name}.test.ts`,
  )
  assert.deepEqual(
    groupTestFiles(web, folder).map(({ title }) => title),
    [
      'packages/texproof/test/web (3 files)',
      'packages/texproof/test/web/every-page.test.ts',
      'packages/texproof/test/web/near-pages.test.ts',
    ],
  )
})
