import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Paper } from '../../papers/types.ts'
import { pdfCard, type CardPlace } from './pdf-card.ts'

const repository = { owner: { login: 'alice' }, name: 'tides' } as CardPlace['repository']
const build = { commitId: 'c'.repeat(40), errors: [], warnings: [] }

const ref = { kind: 'branch', name: 'main', commitId: build.commitId } as const
const place: CardPlace = { repository, ref, problems: [], obstacle: null }

test('pdfCard() names the events of the first document that is being built', async () => {
  const documents = [
    { ...build, number: 1, document: 'main', state: 'failed' },
    { ...build, number: 2, document: 'letter', state: 'running' },
  ]
  const paper = { documents, newest: documents[0], shown: null, cover: null } as unknown as Paper
  const text = String(await pdfCard(paper, place))
  assert.equal(/data-build-events="([^"]+)"/.exec(text)?.[1], '/alice/tides/builds/2/events')
})

test('pdfCard() names the commit of an error if the branch has a newer one', async () => {
  const errors = [{ file: null, line: null, message: 'Missing $ inserted.' }]
  const newest = {
    ...build,
    commitId: 'b'.repeat(40),
    number: 1,
    document: 'main',
    state: 'failed',
    pdfId: null,
    errors,
  }
  const paper = { documents: [newest], newest, shown: null, cover: null } as unknown as Paper
  const text = String(await pdfCard(paper, place))
  assert.match(text, /bbbbbbb failed: +Missing \$ inserted\./)
})

test('pdfCard() abbreviates a commit id', async () => {
  const cover = {
    ...build,
    number: 1,
    document: 'main',
    state: 'succeeded',
    pdfId: 'd'.repeat(64),
    pageCount: 2,
    warningCount: 0,
  }
  const paper = {
    documents: [cover],
    newest: cover,
    shown: { build: cover, status: 'current' },
    cover,
  } as unknown as Paper
  const text = String(
    await pdfCard(paper, { ...place, ref: { kind: 'commit', name: ref.commitId, commitId: ref.commitId } }),
  )
  assert.match(text, /built .*, cccccccccc<\/p>/)
})
