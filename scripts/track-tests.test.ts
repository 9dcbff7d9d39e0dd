import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { checkout } from '../packages/texproof/test/support/programs/checkout.ts'
import { runProgram } from '../packages/texproof/test/support/programs/run-program.ts'

const FILE = `
import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

describe('suite', async () => {
  await sleep(1)
  test('declared after a wait', () => {})
})
test('parent', async () => {
  await sleep(1)
  await test('child', () => {})
})
test('promises have no asynchronous id', async () => {
  const first = new AsyncResource('first').asyncId()
  await Promise.all(Array.from({ length: 100 }, async () => {}))
  assert.ok(new AsyncResource('last').asyncId() - first < 100)
})
test('fails later', async () => {
  setTimeout(() => { throw new Error('late') })
  await sleep(50)
})
`

test('tests find their parents, and late errors their tests, without a hook on promises', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-track-'))
  try {
    const file = join(folder, 'sample.mjs')
    writeFileSync(file, FILE)
    const preload = ['--import', join(checkout, 'scripts/track-tests.ts')]
    const { exitCode, stdout } = await runProgram(join(checkout, 'scripts/pinned-node'), [...preload, file])
    const [tree = ''] = stdout.replaceAll(/ \([\d.]+ms\)/g, '').split('ℹ')
    assert.deepEqual(
      [exitCode, tree.trim().split('\n')],
      [
        1,
        [
          '▶ suite',
          '  ✔ declared after a wait',
          '✔ suite',
          '▶ parent',
          '  ✔ child',
          '✔ parent',
          '✔ promises have no asynchronous id',
          '✖ fails later',
        ],
      ],
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
