import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Repository } from '../../domain/types.ts'
import { breadcrumb } from './breadcrumb.ts'

const repository = { owner: { login: 'alice' }, name: 'tides' } as Repository

/** The parts that a reader sees. */
function textOf(path: string): readonly string[] {
  const text = String(breadcrumb({ repository, ref: { name: 'main' }, path })).replace(/<[^>]*>/g, '')
  return text.split('/').map((part) => part.trim())
}

test('breadcrumb() links every folder of a path', () => {
  assert.deepEqual(textOf('chapters/one.tex'), ['tides', 'chapters', 'one.tex'])
})

test('breadcrumb() leaves out folders in the middle of a path of 1,000 folders', () => {
  const path = [...Array.from({ length: 1_000 }, (_, n) => `d${n}`), 'f.tex'].join('/')
  const last = Array.from({ length: 18 }, (_, n) => `d${982 + n}`)
  assert.deepEqual(textOf(path), ['tides', 'd0', '…', ...last, 'f.tex'])
})
