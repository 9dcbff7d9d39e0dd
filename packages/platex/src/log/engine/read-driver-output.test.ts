import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDriverOutput } from './read-driver-output.ts'

describe('readDriverOutput', () => {
  it('reads messages of the driver, not text that the document printed', () => {
    const stdout = [
      'xdvipdfmx:fatal: printed',
      'xdvipdfmx:warning: Trailer damaged',
      'xdvipdfmx:fatal: Cannot proceed',
      'No output PDF file written.',
    ]
    const messages = readDriverOutput(Buffer.from(stdout.join('\n')), ['xdvipdfmx:fatal: printed'])
    assert.deepEqual(messages, [
      { severity: 'warning', message: 'xdvipdfmx:warning: Trailer damaged' },
      { severity: 'error', message: 'xdvipdfmx:fatal: Cannot proceed' },
    ])
  })
})
