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
