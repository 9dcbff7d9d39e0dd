import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'
import { createMaintenance } from './maintain-repository.ts'

/** A replacement of git whose garbage collection takes a minute. Each call leaves a file with its process id. */
const slowGit = (calls: string): string => `#!/bin/sh
case "$*" in *' gc '*) echo "$*" > "${calls}/$$"; exec /bin/sleep 60;; esac
`

test('garbage is collected in two repositories at a time, and can be cancelled in one of them', async (t) => {
  const folder = makeFolder(t)
  const calls = path.join(folder, 'calls')
  for (const name of ['calls', 'bin', '1.git', '2.git', '3.git']) mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, 'bin/git'), slowGit(calls), { mode: 0o755 })
  const problems: unknown[] = []
  const maintenance = createMaintenance({
    searchPath: path.join(folder, 'bin'),
    onProblem: (problem) => problems.push(problem),
  })
  const running = (): string[] => readdirSync(calls).filter((pid) => existsSync(`/proc/${pid}`))
  for (const name of ['1.git', '2.git', '3.git']) await maintenance.maintain(path.join(folder, name))
  await eventually(running, { until: (pids) => pids.length === 2 })
  await maintenance.cancel(path.join(folder, '1.git'))
  await eventually(() => readdirSync(calls), { until: (pids) => pids.length === 3 })
  const afterCancel = running().length
  await maintenance.close()
  assert.deepEqual([afterCancel, running(), problems], [2, [], []])
})
