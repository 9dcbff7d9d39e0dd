/** The hook of pushes by itself, with a git whose output is known. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'

import { makeTestFolder } from '../../../test/support/git/git-repository.ts'
import { receiveEnvironment } from './receive-limits.ts'

const HOOK = path.join(import.meta.dirname, 'hooks/pre-receive')

/** Runs the hook on a quarantine with a pack, whose sizes a shell script prints; whether it asks, and how it ends. */
async function runHook(t: TestContext, git: string) {
  const folder = makeTestFolder(t)
  const quarantine = path.join(folder, 'quarantine')
  mkdirSync(path.join(quarantine, 'pack'), { recursive: true })
  writeFileSync(path.join(folder, 'git'), `#!/bin/sh\n${git}\n`, { mode: 0o755 })
  const child = spawn(HOOK, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: `${folder}:/usr/bin:/bin`, GIT_QUARANTINE_PATH: quarantine, ...receiveEnvironment },
  })
  const [, , stderr, control] = child.stdio as unknown as readonly [null, null, Duplex, Duplex]
  let isAsked = false
  control.once('data', () => {
    isAsked = true
    control.end('yes\n')
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [exitCode, said] = await Promise.all([exit, text(stderr)])
  return { isAsked, exitCode, said }
}

test('the hook admits objects within the limit', async (t) => {
  const ended = await runHook(t, 'echo 1000 100; echo 2000 200')
  assert.deepEqual(ended, { isAsked: true, exitCode: 0, said: '' })
})

test('the hook refuses objects that unpack to more than the limit', async (t) => {
  const ended = await runHook(t, 'echo 400000000 1000; echo 300000000 1000')
  const said = 'the push unpacks to 668 MB, more than the limit of 512 MB\n'
  assert.deepEqual(ended, { isAsked: false, exitCode: 1, said })
})

test('the hook allows a large push to unpack to a multiple of its size', async (t) => {
  const ended = await runHook(t, 'echo 700000000 4000000')
  assert.deepEqual(ended, { isAsked: true, exitCode: 0, said: '' })
})

test('the hook refuses objects whose sizes git cannot read to the end', async (t) => {
  const ended = await runHook(t, 'echo 1000 100; exit 128')
  const said = 'the size of the objects in the push could not be measured\n'
  assert.deepEqual(ended, { isAsked: false, exitCode: 1, said })
})
