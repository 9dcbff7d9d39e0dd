import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Paper } from '../../papers/types.ts'
import { pdfCard, type CardPlace } from './pdf-card.ts'

const repository = { owner: { login: 'alice' }, name: 'tides' } as CardPlace['repository']
const build = { commitId: 'c'.repeat(40), errors: [], warnings: [] }

test('pdfCard() names the events of the first document that is being built', async () => {
  const documents = [
    { ...build, number: 1, document: 'main', state: 'failed' },
    { ...build, number: 2, document: 'letter', state: 'running' },
  ]
  const paper = { documents, newest: documents[0], shown: null, cover: null } as unknown as Paper
  const text = String(await pdfCard(paper, { repository, refName: 'main', problems: [] }))
  assert.equal(/data-build-events="([^"]+)"/.exec(text)?.[1], '/alice/tides/builds/2/events')
})
