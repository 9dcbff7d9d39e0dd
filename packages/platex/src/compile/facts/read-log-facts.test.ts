import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLogFacts } from './read-log-facts.ts'

test('readLogFacts finds the facts that decide about the next pass', () => {
  const log = [
    'No file part/main.toc.',
    "LaTeX Warning: Reference `a' on page 1 undefined on input line 3.",
    'LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.',
    'Package xr Warning: ',
    'No file supplement.aux',
    'LABELS NOT IMPORTED.',
    "Package zref-xr Warning: File `../other/notes.aux' not found or empty,",
    'LaTeX Error: Cannot determine size of graphic in figures/dot.xbb (no BoundingBox).',
    'Output written on main.pdf (12 pages, 1000 bytes).',
  ].join('\n')
  assert.deepEqual(readLogFacts(log, 'paper'), {
    hasGivenUp: false,
    pageCount: 12,
    hasNoPages: false,
    unwritableFile: null,
    rerunPhrase: 'Label(s) may have changed',
    isContent: false,
    undefinedCount: 1,
    missed: new Set(['paper/part/main.toc']),
    missingLabels: ['paper/supplement.aux', 'other/notes.aux'],
    pictureRequests: [],
    unmeasured: ['figures/dot'],
    scoreVersion: null,
  })
})

test('readLogFacts detects a run that stopped without pages', () => {
  const log = "! I can't write on file `part/one.aux'.\n!  ==> Fatal error occurred, no output PDF file produced!\n"
  const { hasGivenUp, unwritableFile, pageCount } = readLogFacts(log, '')
  assert.deepEqual([hasGivenUp, unwritableFile, pageCount], [true, 'part/one.aux', null])
})

test('readLogFacts reads the version in which GregorioTeX expects a score', () => {
  const log =
    'Module gregoriotex Info: The file scores/kyrie-6_0_0.gtex does not exist. Will use gabc file on input line 4\n'
  assert.equal(readLogFacts(log, '').scoreVersion, '6_0_0')
})

test('readLogFacts uses the last page count, also within a line with the same words', () => {
  const words = 'Output written on '.repeat(3_000)
  assert.equal(readLogFacts(`Output written on a (2 pages)\n${words}b.pdf (3 pages, 5 bytes)\n`, '').pageCount, 3)
})

test('readLogFacts takes linear time for a log of blank lines', () => {
  const { hasGivenUp, pageCount } = readLogFacts('\n'.repeat(1_000_000), '')
  assert.deepEqual({ hasGivenUp, pageCount }, { hasGivenUp: false, pageCount: null })
})
