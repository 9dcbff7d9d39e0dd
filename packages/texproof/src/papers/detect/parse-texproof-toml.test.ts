import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { parseTexproofToml } from './parse-texproof-toml.ts'

test('the example in docs/papers.md sets every key', () => {
  const text = readFileSync(new URL('../../../../../docs/papers.md', import.meta.url), 'utf8')
  const [, example = ''] = /```toml\n(.*?)```/s.exec(text) ?? []
  assert.deepEqual(parseTexproofToml(example), {
    documents: [{ root: 'thesis.tex', name: 'thesis', engine: 'lualatex', bibliography: 'biber' }],
    trigger: 'branches',
    timeoutMs: 120_000,
  })
})

const mistakes: readonly (readonly [source: string, message: string])[] = [
  ['[document]\nroot = "main.tex"\n', 'document: must be a list; write [[document]] with two brackets'],
  ['document = "main.tex"\n', 'document: must be a list; write [[document]] with two brackets'],
  ['document = ["main.tex"]\n', 'document[1]: must be a table'],
  ['[[document]]\nname = "x"\n', 'document[1].root: is missing'],
  ['[[document]]\nroot = ""\n', 'document[1].root: must not be empty'],
  ['[[document]]\nroot = ["main.tex"]\n', 'document[1].root: must be text in quotes'],
  ['[build]\nauto = "never"\n', 'build.auto: must be "branches", "default" or "demand"'],
  ['[build]\nauto = true\n', 'build.auto: must be "branches", "default" or "demand"'],
  ['[build]\ntimeout = 60\n', 'build.timeout: must be text in quotes'],
  ['[build]\ntimeout = "1h"\n', 'build.timeout: must be a time such as "120s" or "2m"'],
  ['build = 1\n', 'build: must be a table'],
]

for (const [source, message] of mistakes)
  test(`parseTexproofToml() refuses ${JSON.stringify(source)} with a reason in plain words`, () => {
    assert.deepEqual(parseTexproofToml(source), { message })
  })
