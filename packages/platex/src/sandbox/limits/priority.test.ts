import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test, type TestContext } from 'node:test'

import { eventually } from '../../../test/support/eventually.ts'
import { cpuSeconds, nicenessOf, renice, START_NICENESS } from './priority.ts'
import { watchRun } from './run-watcher.ts'
import { monotonicMs } from './watch-run.ts'

/** A kernel option, set by most distributions. */
const hasSessionGroups = existsSync('/proc/self/autogroup')

/** Starts a shell whose child prints its pid; returns both pids. */
async function startPair(t: TestContext, script: string): Promise<readonly [number, number]> {
  const child = spawn('sh', ['-c', `sh -c 'echo $$; ${script}' & wait`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  t.after(() => process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return [child.pid ?? 0, Number(line)]
}

test('nicenessOf rises with the processor time of a run', () => {
  assert.deepEqual([0, 0.4, 1, 3.9, 60].map(nicenessOf), [2, 2, 4, 9, 10])
})

test('renice applies to a process, its descendants and their session', { skip: !hasSessionGroups }, async (t) => {
  const pair = await startPair(t, 'sleep 60')
  // An ordinary user may set ten values per second, and other tests set some.
  await eventually(() => renice(pair[0], 7), { until: Boolean })
  const sessions = pair.map((pid) => readFileSync(`/proc/${pid}/autogroup`, 'utf8').split(' ').slice(1).join(' '))
  assert.deepEqual(
    [pair.map((pid) => getPriority(pid) - getPriority()), sessions],
    [
      [7, 7],
      ['nice 7\n', 'nice 7\n'],
    ],
  )
})

test('cpuSeconds includes descendants', async (t) => {
  const [pid] = await startPair(t, 'while :; do :; done')
  const used = await eventually(() => cpuSeconds(pid), { until: (seconds) => seconds >= 0.2 })
  assert.equal(used < 60, true)
})

test('a watched run that uses a processor loses priority', async (t) => {
  const [pid, busy] = await startPair(t, 'while :; do :; done')
  const folder = { kind: 'on-disk', paths: [], bounds: { maxBytes: 1, maxEntries: 1 } } as const
  const deadlineMs = monotonicMs() + 60_000
  const watch = watchRun({ pid, deadlineMs, folder, compile: 'run', maxMemoryBytes: null }, () => {})
  t.after(() => watch.stop())
  await eventually(() => getPriority(busy), { until: (niceness) => niceness > getPriority() + START_NICENESS })
})
