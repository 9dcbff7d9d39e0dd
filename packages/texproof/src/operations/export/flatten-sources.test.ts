import assert from 'node:assert/strict'
import { test } from 'node:test'

import { flattenSources } from './flatten-sources.ts'
import { findVerbatimEnvironments } from './split-source.ts'

function flatten(sources: Readonly<Record<string, string>>, otherPaths: readonly string[] = []) {
  return flattenSources({
    rootFile: 'main.tex',
    sources: new Map(Object.entries(sources)),
    paths: [...Object.keys(sources), ...otherPaths],
    verbatimEnvironments: findVerbatimEnvironments([]),
  })
}

test('flattenSources() keeps chapters with a bibliography of their own as files', () => {
  const sources = { 'main.tex': '\\include{one}\\include{two}', 'one.tex': 'One.\n', 'two.tex': 'Two.\n' }
  assert.deepEqual(flatten(sources, ['one.bbl']), {
    rootText: '\\include{one}\\clearpage\nTwo.\n\\clearpage',
    inlined: new Set(['two.tex']),
    renamed: new Map(),
  })
})

test('flattenSources() leaves names in comments and listings alone, and files that end early', () => {
  const root = '% \\input{a}\n\\verb|\\input{a}| \\input{a}\\input{b}'
  assert.deepEqual(flatten({ 'main.tex': root, 'a.tex': 'A.\n', 'b.tex': 'B.\\endinput\nnotes' }), {
    rootText: '% \\input{a}\n\\verb|\\input{a}| A.\n{}\\input{b}',
    inlined: new Set(['a.tex']),
    renamed: new Map(),
  })
})

test('flattenSources() gives pictures of different folders different names', () => {
  const root = '\\includegraphics{a/x}\\includegraphics[alt={y}]{b/x.png}'
  const { rootText, renamed } = flatten({ 'main.tex': root }, ['a/x.png', 'b/x.png'])
  assert.deepEqual(
    [rootText, [...renamed]],
    [
      '\\includegraphics{x}\\includegraphics[alt={y}]{b-x.png}',
      [
        ['a/x.png', 'x.png'],
        ['b/x.png', 'b-x.png'],
      ],
    ],
  )
})
