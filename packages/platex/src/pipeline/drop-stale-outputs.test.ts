import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropStaleOutputs } from './drop-stale-outputs.ts'

test('dropStaleOutputs drops what TeX makes anew beside the root document, and nothing else', () => {
  const kept = ['paper/main.tex', 'paper/main.bbl', 'paper/other.aux', 'main.aux', 'figures/main.pdf']
  const dropped = ['paper/main.aux', 'paper/main.pdf', 'paper/main.run.xml', 'paper/main.synctex.gz']
  const files = new Map([...kept, ...dropped].map((path) => [path, new Uint8Array()]))
  assert.deepEqual([...dropStaleOutputs(files, 'paper/main.tex').keys()], kept)
})
