import assert from 'node:assert/strict'
import { test } from 'node:test'

import { explainFailedRefs } from './locked-refs.ts'

const output = `error: cannot lock ref 'refs/heads/a': Unable to create '/srv/1.git/refs/heads/a.lock': File exists.
Another git process seems to be running in this repository.
error: cannot lock ref 'refs/heads/b': is at ${'1'.repeat(40)} but expected ${'2'.repeat(40)}
`

test('explainFailedRefs() distinguishes a locked ref from a moved one', () => {
  const report = [
    'unpack ok',
    'ng refs/heads/a failed to update ref',
    'ng refs/heads/b failed to update ref',
    'ok refs/heads/c',
  ]
  assert.deepEqual(
    explainFailedRefs(
      report.map((line) => Buffer.from(line)),
      output,
    ).map(String),
    [
      'unpack ok',
      'ng refs/heads/a locked by another operation; push again in a minute',
      'ng refs/heads/b moved by another push; fetch, merge and push again',
      'ok refs/heads/c',
    ],
  )
})
