import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

import { listProcessTree, namelessFileBytes, residentBytes } from './process-tree.ts'

test('a tree whose processes start and end while it is looked at is measured without a throw', async () => {
  const child = spawn('sh', ['-c', 'i=0; while [ $i -lt 400 ]; do perl -e 1 </dev/null; i=$((i+1)); done'], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const pid = child.pid ?? 0
  while (child.exitCode === null) {
    const pids = listProcessTree(pid)
    namelessFileBytes(pids)
    residentBytes(pids)
    await new Promise(setImmediate)
  }
  assert.deepEqual(await ended, [0, null])
})
