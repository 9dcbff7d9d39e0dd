import assert from 'node:assert/strict'
import { test } from 'node:test'

import { BUILD_WINDOW_MS, measureBuildMinutes } from './build-minutes.ts'

const MINUTE_MS = 60_000
const NOW = 10 * BUILD_WINDOW_MS

/** A run that started this many minutes ago. */
function runOf(minutesAgo: number, durationMinutes: number | null) {
  const startedAt = NOW - minutesAgo * MINUTE_MS
  return { startedAt, finishedAt: durationMinutes === null ? null : startedAt + durationMinutes * MINUTE_MS }
}

test('measureBuildMinutes() adds up builds of the last 24 hours, including running ones', () => {
  const runs = [runOf(3_000, 10), runOf(1_445, 10), runOf(100, 3), runOf(2, null)]
  const used = measureBuildMinutes(runs, { now: NOW, limitMinutes: 60 })
  assert.deepEqual(used, { usedMs: (5 + 3 + 2) * MINUTE_MS, freeAt: null })
})

test('measureBuildMinutes() returns when enough minutes have left the window', () => {
  const runs = [runOf(300, 20), runOf(200, 20)]
  const used = measureBuildMinutes(runs, { now: NOW, limitMinutes: 30 })
  assert.deepEqual(used, { usedMs: 40 * MINUTE_MS, freeAt: NOW - 290 * MINUTE_MS + BUILD_WINDOW_MS })
})

test('measureBuildMinutes() allows no build if the limit is used up exactly', () => {
  const used = measureBuildMinutes([runOf(60, 30)], { now: NOW, limitMinutes: 30 })
  assert.deepEqual(used, { usedMs: 30 * MINUTE_MS, freeAt: NOW - 60 * MINUTE_MS + BUILD_WINDOW_MS })
})
