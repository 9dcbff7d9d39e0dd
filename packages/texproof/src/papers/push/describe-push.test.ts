import assert from 'node:assert/strict'
import { test } from 'node:test'

import { exampleBuild } from '../../../test/support/example-build.ts'
import { exampleRepository } from '../../../test/support/example-repository.ts'
import type { Build } from '../../domain/build.ts'
import {
  buildTitle,
  describeBuild,
  describeFound,
  describeRefTotal,
  describeTotal,
  describeWaiting,
} from './describe-push.ts'
import { problemKey } from '../../domain/merge-problems.ts'

const repository = exampleRepository()

const build = exampleBuild({ number: 17, ref: 'refs/heads/feature/a b' })

const place = {
  repository,
  baseUrl: 'https://papers.example',
  title: 'Building feature/a b',
  isOneOfMany: false,
  hasOlderPdf: false,
}

function error(file: string | null, line: number | null, message: string): Build['errors'][number] {
  return { type: 'error', file, line, message, context: null, source: 'latex' }
}

test('describeFound() explains why a figure is not built', () => {
  const near = { kind: 'part', path: 'plot.tex', documentClass: 'standalone' } as const
  assert.deepEqual(describeFound({ kind: 'none', near }), [
    'No document found: plot.tex (\\documentclass{standalone}) counts as a part of another document',
    '  Nothing was built. To build it, list it in .texproof.toml.',
  ])
})

test('describeFound() explains why plain TeX is not built', () => {
  assert.deepEqual(describeFound({ kind: 'none', near: { kind: 'plain-tex', path: 'main.tex' } }), [
    'No document found: main.tex is plain TeX, and only LaTeX is compiled',
    '  Nothing was built. Convert it to LaTeX, with \\documentclass and \\begin{document}.',
  ])
})

test('describeFound() says how to build a source of knitr', () => {
  assert.deepEqual(describeFound({ kind: 'none', near: { kind: 'rnw', path: 'paper.Rnw' } }), [
    'No document found: paper.Rnw contains R code, which is not run',
    '  Nothing was built. Run knitr on your computer, and add the .tex file and its figures.',
  ])
})

test('describeFound() says how to build the manual of a package', () => {
  assert.deepEqual(describeFound({ kind: 'none', near: { kind: 'dtx', path: 'src/tides.dtx' } }), [
    'No document found: src/tides.dtx is the source of a package',
    '  Nothing was built. To build its manual, add src/tides.tex with the line \\input{tides.dtx}',
    '  and list it in .texproof.toml.',
  ])
})

test('describeBuild() shows pages, time and an address that is safe in a shell', () => {
  assert.deepEqual(describeBuild(build, place), [
    'Building feature/a b … done in 4.1 s — 14 pages',
    '  https://papers.example/alice/tides/pdf/feature/a%20b',
  ])
})

test('describeBuild() says why a build was refused', () => {
  const refused: Build = {
    ...build,
    state: 'failed',
    startedAt: null,
    pdfId: null,
    errors: [error(null, null, 'Build minutes used up.')],
  }
  assert.deepEqual(describeBuild(refused, place), [
    'Building feature/a b … not built (push accepted)',
    '  Build minutes used up.',
    '  https://papers.example/alice/tides/builds/17',
  ])
})

test('describeBuild() lists the first three errors and counts the rest', () => {
  const errors = [
    error('a.tex', 3, 'One'),
    error('a.tex', null, 'Two\nmore'),
    error(null, null, 'Three'),
    error('b.tex', 1, 'Four'),
  ]
  assert.deepEqual(describeBuild({ ...build, state: 'failed', errors }, { ...place, hasOlderPdf: true }), [
    'Building feature/a b … built with errors in 4.1 s (push accepted; last good PDF kept)',
    '  a.tex:3  One',
    '  a.tex  Two',
    '  Three',
    '  and 1 more',
    '  https://papers.example/alice/tides/builds/17',
  ])
})

test('describeBuild() counts the errors that are caused by another error', () => {
  const first = { ...error('a.tex', 3, 'One'), column: 7, summary: 'It is one.', remedy: 'Make it two.' }
  const errors = [first, { ...error('a.tex', 4, 'Two'), cause: 0 }, { ...error('a.tex', 5, 'Three'), cause: 0 }]
  assert.deepEqual(describeBuild({ ...build, state: 'failed', errors }, place).slice(1, 3), [
    '  a.tex:3:7  It is one. Make it two.',
    '    and 2 errors that follow from it',
  ])
})

test('describeBuild() links to the page of a build that is not over', () => {
  assert.deepEqual(describeBuild({ ...build, state: 'running' }, place), [
    'Building feature/a b … still building, see',
    '  https://papers.example/alice/tides/builds/17',
  ])
})

test('errors that another document of the push has listed are counted, not listed again', () => {
  const shared = error('shared.tex', 3, 'Undefined control sequence.')
  const failed: Build = { ...build, state: 'failed', errors: [shared], errorCount: 1, number: 2 }
  const listedErrors = new Set([problemKey(shared)])
  assert.deepEqual(describeBuild(failed, { ...place, isOneOfMany: true, listedErrors }).slice(1), [
    '  1 error already listed above',
    '  https://papers.example/alice/tides/builds/2',
  ])
})

test('documents that a push does not wait for take two lines, however many there are', () => {
  assert.deepEqual(describeWaiting(12, place), [
    '12 documents still building, see',
    '  https://papers.example/alice/tides/builds',
  ])
})

test('a push of several documents ends with how many are up to date', () => {
  const states = [build, { ...build, state: 'failed' as const }, { ...build, state: 'queued' as const }]
  assert.equal(describeTotal(states), '1 of 3 documents up to date')
})

test('a title names at most three refs', () => {
  const names = ['main', 'topic-1', 'topic-2', 'topic-3']
  assert.deepEqual(
    [1, 2, 3, 4].map((count) => buildTitle(names.slice(0, count), count === 1 ? 'a.tex' : null)),
    [
      'Building main: a.tex',
      'Building main and topic-1',
      'Building main, topic-1 and topic-2',
      'Building main, topic-1 and 2 more',
    ],
  )
})

test('a push of several refs ends with how many are up to date', () => {
  const of = (ref: string, state: Build['state']): Build => ({ ...build, ref, state })
  assert.deepEqual(
    [
      describeRefTotal([
        of('refs/heads/a', 'succeeded'),
        of('refs/heads/a', 'failed'),
        of('refs/heads/b', 'succeeded'),
      ]),
      describeRefTotal([of('refs/heads/a', 'queued'), of('refs/tags/a', 'succeeded')]),
      describeRefTotal([of('refs/tags/a', 'succeeded'), of('refs/tags/b', 'succeeded')]),
    ],
    ['1 of 2 branches up to date', '1 of 2 branches and tags up to date', '2 of 2 tags up to date'],
  )
})
