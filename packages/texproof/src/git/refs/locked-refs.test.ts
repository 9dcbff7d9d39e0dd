import assert from 'node:assert/strict'
import { test } from 'node:test'

import { explainFailedRefs } from './locked-refs.ts'

const output = `error: cannot lock ref 'refs/heads/a': Unable to create '/srv/1.git/refs/heads/a.lock': File exists.
Another git process seems to be running in this repository.
error: cannot lock ref 'refs/heads/b': is at ${'1'.repeat(40)} but expected ${'2'.repeat(40)}
error: cannot lock ref 'refs/heads/d': unable to resolve reference 'refs/heads/d': Input/output error
error: cannot lock ref 'refs/heads/e': unable to resolve reference 'refs/heads/e'
`

test('explainFailedRefs() asks for the history of a shallow clone', () => {
  const report = ['unpack ok', 'ng refs/heads/main shallow update not allowed'].map((line) => Buffer.from(line))
  assert.deepEqual(explainFailedRefs(report, '').map(String), [
    'unpack ok',
    'ng refs/heads/main its history is incomplete; run git fetch --unshallow and push again',
  ])
})

test('explainFailedRefs() asks for the commit of a tag that is pushed as a branch', () => {
  const report = ['unpack ok', 'ng refs/heads/v1 failed to update ref'].map((line) => Buffer.from(line))
  const failure = `error: cannot update ref 'refs/heads/v1': trying to write non-commit object ${'1'.repeat(40)} to branch 'refs/heads/v1'\n`
  assert.deepEqual(explainFailedRefs(report, failure).map(String), [
    'unpack ok',
    'ng refs/heads/v1 a branch must name a commit; push the commit of a tag as TAG^{commit}',
  ])
})

test('explainFailedRefs() distinguishes locked refs, moved ones and faults of the server', () => {
  const report = [
    'unpack ok',
    'ng refs/heads/a failed to update ref',
    'ng refs/heads/b failed to update ref',
    'ok refs/heads/c',
    'ng refs/heads/d failed to update ref',
    'ng refs/heads/e failed to update ref',
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
      'ng refs/heads/d the server could not write it; push again, and contact the administrator if this continues',
      'ng refs/heads/e moved by another push; fetch, merge and push again',
    ],
  )
})
