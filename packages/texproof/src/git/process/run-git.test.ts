import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { makeTestFolder } from '../../../test/support/git/git-repository.ts'
import { runGit } from './run-git.ts'

const limits = { gitDir: null, timeoutMs: 10_000, maxOutputBytes: 100_000 }

/** A PATH whose `git` is this shell script. */
function makeGit(t: TestContext, script: string): string {
  const folder = makeTestFolder(t)
  writeFileSync(path.join(folder, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return `${folder}:/usr/bin:/bin`
}

test('runGit() passes only the listed environment variables to git', async (t) => {
  const run = await runGit(['x'], { ...limits, searchPath: makeGit(t, 'env -0'), protocol: 'version=2' })
  assert.equal(run.kind, 'exited')
  const names = run.stdout
    .toString()
    .split('\0')
    .map((line) => line.split('=')[0] ?? '')
  const own = names.filter((name) => name !== '' && !/^GIT_CONFIG_(KEY|VALUE)_\d+$/.test(name) && name !== 'PWD')
  assert.deepEqual(own.toSorted(), [
    'GIT_ALLOC_LIMIT',
    'GIT_ATTR_NOSYSTEM',
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_NOSYSTEM',
    'GIT_NO_LAZY_FETCH',
    'GIT_NO_REPLACE_OBJECTS',
    'GIT_PROTOCOL',
    'GIT_TERMINAL_PROMPT',
    'LC_ALL',
    'PATH',
    'TZ',
  ])
})

for (const protocol of ['version=3', 'version=2:object-format=sha256', 'version=1\n', '', 'x'.repeat(9_000)]) {
  test(`runGit() does not pass the protocol ${JSON.stringify(protocol.slice(0, 40))}`, async (t) => {
    const run = await runGit(['x'], { ...limits, protocol, searchPath: makeGit(t, 'echo "[$GIT_PROTOCOL]"') })
    assert.equal(run.kind === 'exited' && run.stdout.toString(), '[]\n')
  })
}

test('runGit() passes arguments unchanged', async (t) => {
  const args = ['a b', '$(id)', '`id`', "'", '"', '*', '--x=y', '\u202e']
  const run = await runGit(args, { ...limits, searchPath: makeGit(t, 'printf "%s\\n" "$@"') })
  assert.deepEqual(run.kind === 'exited' && run.stdout.toString().trimEnd().split('\n'), args)
})

test('runGit() returns a failing command as a value', async (t) => {
  const run = await runGit([], { ...limits, searchPath: makeGit(t, 'echo out; echo why >&2; exit 3') })
  assert.deepEqual(run, { kind: 'exited', exitCode: 3, stdout: Buffer.from('out\n'), stderr: 'why\n' })
})

test('runGit() kills a command that exceeds its time limit, with its children', async (t) => {
  // The sleeping child has the output pipe open, so the run could not end while it lives.
  const searchPath = makeGit(t, 'echo begun; sleep 60 & wait')
  const run = await runGit([], { ...limits, searchPath, timeoutMs: 300 })
  assert.deepEqual(run, { kind: 'timed-out', afterMs: 300, stdout: Buffer.from('begun\n') })
})

test('runGit() stops at the first byte over its limit and returns the output before it', async (t) => {
  const searchPath = makeGit(t, 'exec yes')
  const run = await runGit([], { ...limits, searchPath, maxOutputBytes: 5 })
  assert.deepEqual(run, { kind: 'output-too-long', stdout: Buffer.from('y\ny\ny') })
})

test('runGit() ends git when its signal aborts', async (t) => {
  const searchPath = makeGit(t, 'exec sleep 60')
  const run = runGit([], { ...limits, searchPath, signal: AbortSignal.timeout(50) })
  assert.deepEqual(await run, { kind: 'aborted' })
})

test('runGit() throws if git does not exist', async (t) => {
  await assert.rejects(runGit([], { ...limits, searchPath: makeTestFolder(t) }), /start git/)
})
