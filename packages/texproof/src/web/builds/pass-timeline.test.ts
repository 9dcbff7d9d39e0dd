import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { BuildPass } from '../../domain/build.ts'
import { passTimeline } from './pass-timeline.ts'

function pass(program: string, durationMs: number | null): BuildPass {
  return { program, durationMs, reason: 'first pass', exitCode: 0, timedOut: false }
}

/** Label and time of each row. */
function rowsOf(passes: readonly BuildPass[], totalMs: number | null): readonly string[] {
  const finishedAt = totalMs === null ? null : 1_000 + totalMs
  const text = String(passTimeline({ passes, startedAt: 1_000, finishedAt }))
  return [...text.matchAll(/scope="row">([^<]*)<\/th>\s*<td class="numeric">([^<]*)/g)].map(
    ([, label = '', time = '']) => `${label}: ${time}`,
  )
}

test('passTimeline() has a row for a long time outside of the passes', () => {
  assert.deepEqual(rowsOf([pass('lualatex', 11_000), pass('biber', null)], 30_000), [
    '1 LuaLaTeX: 11.0 s',
    '2 Biber: –',
    'Other: 19.0 s',
  ])
})

test('passTimeline() has no row for a short rest, a small part, a negative one, or a build that runs', () => {
  const passes = [pass('pdflatex', 10_000)]
  for (const totalMs of [11_900, 12_100, 9_000, null]) assert.deepEqual(rowsOf(passes, totalMs), ['1 pdfLaTeX: 10.0 s'])
})
