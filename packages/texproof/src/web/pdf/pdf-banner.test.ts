import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Build } from '../../domain/build.ts'
import { exampleBuild } from '../../../test/support/example-build.ts'
import { exampleRepository } from '../../../test/support/example-repository.ts'
import { pdfBanner } from './pdf-banner.ts'

const repository = exampleRepository()

const good = exampleBuild({ commitId: 'a'.repeat(40) })

const error: Build['errors'][number] = {
  type: 'error',
  file: 'main.tex',
  line: 3,
  message: 'Undefined control sequence.',
  context: null,
  source: 'latex',
}

const broken: Build = { ...good, id: 2, number: 2, commitId: 'b'.repeat(40), state: 'failed', errors: [error] }

/** The words of the banner for the newest build, with `shown` as the last good PDF; without ages. */
function wordsOf(newest: Build, shown: Build | null, headCommitId = newest.commitId): string {
  const paper = {
    documents: [newest],
    document: 'main',
    newest,
    shown:
      shown === null
        ? null
        : { build: shown, status: shown.id === newest.id ? ('flawed' as const) : ('older' as const) },
    cover: shown,
  }
  const ref = { kind: 'branch' as const, name: 'main', commitId: headCommitId }
  const distances = { behind: shown === good ? '1 commit' : null, newer: null }
  return String(pdfBanner({ repository, ref, paper, distances }))
    .replaceAll(/<time.*?<\/time>/gs, 'AGO')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('pdfBanner() says whether the newest build made a PDF, and which PDF is shown', () => {
  const without = { ...broken, pdfId: null }
  const cancelled: Build = { ...without, state: 'cancelled', errors: [] }
  assert.deepEqual(
    [
      wordsOf(broken, good),
      wordsOf(broken, broken),
      wordsOf(without, good),
      wordsOf(without, null),
      wordsOf(cancelled, good),
      wordsOf(cancelled, null),
    ],
    [
      '&#10005; built with errors Commit bbbbbbb was built with errors. Showing the last good PDF: commit aaaaaaa, built AGO (1 commit behind). Show 1 error Show the PDF with errors',
      '&#10005; built with errors This PDF was built with 1 error (build 2). Parts may be missing. It shows commit bbbbbbb, built AGO.',
      '&#10005; failed Commit bbbbbbb failed to build. Showing the last good PDF: commit aaaaaaa, built AGO (1 commit behind). Show 1 error',
      '&#10005; failed The newest commit failed to build, and there is no earlier PDF. Show 1 error',
      '&#9675; cancelled Build 2 was cancelled. Showing the last good PDF: commit aaaaaaa, built AGO (1 commit behind).',
      '&#9675; cancelled Build 2 was cancelled, and there is no earlier PDF.',
    ],
  )
})

test('pdfBanner() says that a branch whose only build failed has newer commits', () => {
  assert.equal(
    wordsOf({ ...broken, pdfId: null }, null, 'c'.repeat(40)),
    '&#10005; failed main has newer commits. Commit bbbbbbb failed to build, and there is no earlier PDF. Show 1 error',
  )
})

test('pdfBanner() links to the newer version of the shown document', () => {
  const paper = {
    documents: [good, { ...good, id: 2, document: 'talk' }],
    document: 'talk',
    newest: good,
    shown: { build: good, status: 'current' as const },
    cover: good,
  }
  const ref = { kind: 'tag' as const, name: 'v1', commitId: good.commitId }
  const banner = pdfBanner({ repository, ref, paper, distances: { behind: null, newer: '1 commit' } })
  assert.match(String(banner), /A newer version exists: <a href="\/alice\/tides\/pdf\/main\?doc=talk">main<\/a>/)
})
