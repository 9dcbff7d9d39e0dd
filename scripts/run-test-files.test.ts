import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

const root = new URL('..', import.meta.url).pathname
const good = `import { test } from 'node:test'\ntest('good', () => {})\n`
const bad = `import { test } from 'node:test'\ntest('bad', () => { throw new Error('ebb') })\n`
const early = 'process.exit(3)\n'
/** Fails once, and passes when it is repeated. */
const unsteady = `import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
test('unsteady', () => {
  const mark = new URL('mark', import.meta.url)
  const isRepeated = existsSync(mark)
  writeFileSync(mark, '')
  if (!isRepeated) throw new Error('ebb')
})
`

/** The exit code, what was repeated, and what passed then. */
function runFiles(context: TestContext, files: Readonly<Record<string, string>>): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-run-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  })
  // The test runner would take this process for one of its own and change the format of the report.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const command = [join(root, 'scripts/run-test-files.ts'), ...paths]
  const { status, stdout } = spawnSync(join(root, 'scripts/pinned-node'), command, { encoding: 'utf8', env })
  const names = (line: RegExp): string[] =>
    [...stdout.matchAll(line)].map(([, name = '']) => name.replaceAll(`${folder}/`, ''))
  return { status, repeated: names(/^── repeated alone: (.*)$/gm), passed: names(/^⚠ (\S+) failed beside/gm) }
}

test('what fails beside other tests is repeated alone, and named if it passes', (t) => {
  assert.deepEqual(runFiles(t, { 'good.test.mjs': good, 'unsteady.test.mjs': unsteady }), {
    status: 0,
    repeated: ['unsteady.test.mjs'],
    passed: ['unsteady.test.mjs'],
  })
})

test('what fails twice, or ends before its tests, is a failure', (t) => {
  assert.deepEqual(runFiles(t, { 'bad.test.mjs': bad, 'early.test.mjs': early, 'good.test.mjs': good }), {
    status: 1,
    repeated: ['bad.test.mjs, early.test.mjs'],
    passed: [],
  })
})

test('a failure of everything is not repeated', (t) => {
  assert.deepEqual(runFiles(t, { 'bad.test.mjs': bad }), { status: 1, repeated: [], passed: [] })
})
