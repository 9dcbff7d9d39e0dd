import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Repository } from '../../domain/types.ts'
import { lineHref } from './line-href.ts'

test('lineHref() leads to the source of files that are shown in another form', () => {
  const repository = { owner: { login: 'alice' }, name: 'tides' } as Repository
  const names = ['a.tex', 'a.md', 'a.csv', 'a.bib', 'a.ipynb', 'a.svg', 'a.eps']
  const home = '/alice/tides/blob/main'
  assert.deepEqual(
    names.map((path) => lineHref(repository, 'main', { path, line: 3 })),
    [`${home}/a.tex#L3`, ...names.slice(1).map((path) => `${home}/${path}?view=source#L3`)],
  )
})
