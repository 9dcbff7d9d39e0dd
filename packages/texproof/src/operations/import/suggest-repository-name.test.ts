import assert from 'node:assert/strict'
import { test } from 'node:test'

import { suggestRepositoryName } from './suggest-repository-name.ts'

test('suggestRepositoryName() drops the suffix, accents and what a name cannot contain', () => {
  assert.deepEqual(['Thèse (final).tar.gz', '.paper.zip', '…'].map(suggestRepositoryName), ['These-final', 'paper', ''])
})

test('suggestRepositoryName() reads the end of a long name at once', () => {
  assert.equal(suggestRepositoryName(`x${'-'.repeat(1_000_000)}paper.zip`), 'paper')
})
