import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BuildProblem, BuildRecord } from './build.ts'
import { mergeProblems } from './merge-problems.ts'

const build = (id: number): BuildRecord => ({
  id,
  repositoryId: 1,
  number: id,
  ref: 'refs/heads/main',
  commitId: 'c',
  treeId: 't',
  rootFile: `${id}.tex`,
  document: String(id),
  engine: 'pdflatex',
  bibliography: 'none',
  reason: '',
  state: 'failed',
  pdfId: null,
  pageCount: null,
  errorCount: 1,
  warningCount: 0,
  createdAt: 0,
  startedAt: 0,
  finishedAt: 0,
})

const error = (file: string, line: number): BuildProblem => ({
  type: 'error',
  file,
  line,
  message: 'Undefined control sequence.',
  context: null,
  source: 'latex',
})

test('mergeProblems() returns a problem of a shared file once, with every build that reported it', () => {
  const [first, second] = [build(1), build(2)]
  const merged = mergeProblems([
    { build: first, problems: [error('shared.tex', 3)] },
    { build: second, problems: [error('2.tex', 1), error('shared.tex', 3)] },
  ])
  assert.deepEqual(merged, [
    { ...error('shared.tex', 3), builds: [first, second] },
    { ...error('2.tex', 1), builds: [second] },
  ])
})

test('mergeProblems() keeps duplicates of one document', () => {
  const [first, second] = [build(1), build(2)]
  const merged = mergeProblems([
    { build: first, problems: [error('shared.tex', 3), error('shared.tex', 3)] },
    { build: second, problems: [error('shared.tex', 3)] },
  ])
  assert.deepEqual(
    merged.map(({ builds }) => builds),
    [[first, second], [first]],
  )
})
