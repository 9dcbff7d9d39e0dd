import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'

import { memoryBytes, namelessFileBytes } from './process-tree.ts'

const MIB = 1024 * 1024

/** Starts a Perl script that prints a line when it is ready to be measured. */
async function startPerl(t: TestContext, script: string): Promise<number> {
  const args = ['-e', `$| = 1; ${script}`]
  const child = spawn('perl', args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  t.after(() => process.kill(-(child.pid ?? 0), 'SIGKILL'))
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

test('a tree whose processes start and end during the measurement is measured without an error', async () => {
  const child = spawn('sh', ['-c', 'i=0; while [ $i -lt 400 ]; do perl -e 1 </dev/null; i=$((i+1)); done'], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const pid = child.pid ?? 0
  while (child.exitCode === null) {
    namelessFileBytes(pid, () => true)
    memoryBytes([pid])
    await new Promise(setImmediate)
  }
  assert.deepEqual(await ended, [0, null])
})

test('memoryBytes includes descendants', async (t) => {
  const pid = await startPerl(t, 'unless (fork) { my $x = "x" x 1e8; print "\\n"; sleep 60; exit } wait')
  assert.equal(memoryBytes([pid]) > 100 * MIB, true)
})

test('memoryBytes counts a process whose first thread has ended', async (t) => {
  const call = process.arch === 'arm64' ? 93 : 60 // exit of one thread
  const pid = await startPerl(
    t,
    `use threads; threads->create(sub { my $x = "x" x 1e8; sleep 1; print "\\n"; sleep 60 }); syscall(${call}, 0)`,
  )
  assert.equal(memoryBytes([pid]) > 100 * MIB, true)
})

test('memoryBytes counts a process below two of the roots once', async (t) => {
  const pid = await startPerl(t, 'my $x = "x" x 1e8; print "\\n"; sleep 60')
  assert.equal(memoryBytes([pid, pid]), memoryBytes([pid]))
})

test('namelessFileBytes counts an open file without a name once', async (t) => {
  const pid = await startPerl(
    t,
    'open F, ">", "/tmp/platex-nameless-$$"; unlink "/tmp/platex-nameless-$$"; open G, ">&", F; ' +
      'syswrite F, "x" x 8388608; print "\\n"; sleep 60',
  )
  assert.equal(
    namelessFileBytes(pid, () => true),
    8 * MIB,
  )
})
