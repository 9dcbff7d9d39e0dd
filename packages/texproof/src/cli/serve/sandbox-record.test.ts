import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { readSandboxRecord } from './sandbox-record.ts'

describe('readSandboxRecord', () => {
  it('is valid after the test was passed', async (t) => {
    const config = { dataDir: makeFolder(t), sandbox: 'required' } as const
    const before = readSandboxRecord(config)
    await before.store()
    assert.deepEqual([before.isValid, readSandboxRecord(config).isValid], [false, true])
  })

  it('is not valid in another mode', async (t) => {
    const dataDir = makeFolder(t)
    await readSandboxRecord({ dataDir, sandbox: 'none' }).store()
    assert.equal(readSandboxRecord({ dataDir, sandbox: 'required' }).isValid, false)
  })

  it('is not valid after the test has failed', async (t) => {
    const config = { dataDir: makeFolder(t), sandbox: 'required' } as const
    await readSandboxRecord(config).store()
    await readSandboxRecord(config).remove()
    assert.equal(readSandboxRecord(config).isValid, false)
  })
})
