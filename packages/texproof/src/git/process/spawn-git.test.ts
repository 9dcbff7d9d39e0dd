import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { listProcessesOf } from '../../../test/support/programs/list-processes.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

const STARTS = {
  'started here': '',
  // The pause is for its connections.
  'started through the spawner': `
    const spawner = startSpawner((error) => { throw error })
    await delay(1_000)`,
}

for (const [how, start] of Object.entries(STARTS))
  test(`a git process ${how} ends when this process exits`, async (t) => {
    const folder = makeFolder(t)
    const script = `
      import { setTimeout as delay } from 'node:timers/promises'
      import { startSpawner } from '@texproof/platex/spawner'
      import { defaultSearchPath, spawnGit } from ${JSON.stringify(import.meta.resolve('./spawn-git.ts'))}
      ${start}
      const options = { gitDir: null, searchPath: defaultSearchPath, variables: { FOLDER: ${JSON.stringify(folder)} } }
      const git = spawnGit(['-c', 'alias.wait=!echo waits; sleep 100', 'wait'], options)
      git.stdout.once('data', () => process.exit())`
    const options = ['--conditions=texproof-source', '--input-type=module', '--eval', script]
    await promisify(execFile)(process.execPath, options, { cwd: import.meta.dirname })
    const left = await eventually(() => listProcessesOf(folder), { until: (pids) => pids.length === 0, within: 5_000 })
    assert.deepEqual(left, [])
  })
