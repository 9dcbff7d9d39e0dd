import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readConfig } from '../../config/read-config.ts'
import type { SeenWorker } from '../../store/builds/worker-keys.ts'
import { workersCard } from './workers-card.ts'

const NOW = 1_700_000_000_000

function configOf(local: string) {
  return readConfig({ data: '/nowhere', settings: { 'build.local': local } }, {}).config
}

function worker(name: string, details: Partial<SeenWorker> = {}): SeenWorker {
  const common = { texRelease: 'TeX Live 2026', packageCount: 4_321, version: '1.0.0', keyName: 'rack' }
  return { id: name, name, slots: 8, running: 3, ...common, seenAt: NOW - 12_000, ...details }
}

test('the workers card is absent on a host that builds by itself', () => {
  assert.equal(workersCard(configOf('true'), [], NOW), null)
})

test('the workers card lists load, TeX release and when each worker was seen', () => {
  assert.deepEqual(workersCard(configOf('false'), [worker('rack1'), worker('rack2', { texRelease: null })], NOW), {
    title: 'Workers',
    state: 'good',
    text:
      '2 workers with 16 slots, 6 in use. rack1: 3 of 8 in use, TeX Live 2026, 4321 packages, seen 12 s ago; ' +
      'rack2: 3 of 8 in use, seen 12 s ago.',
    remedy: null,
  })
})

test('the workers card warns of a lost worker, and is red when builds wait for one', () => {
  const lost = worker('rack1', { seenAt: NOW - 600_000 })
  const cards = [
    workersCard(configOf('true'), [lost], NOW),
    workersCard(configOf('false'), [worker('rack2'), lost], NOW),
    workersCard(configOf('false'), [lost], NOW),
    workersCard(configOf('false'), [], NOW),
  ]
  assert.deepEqual(
    cards.map((card) => [card?.state, card?.text.includes('not seen for 10 min')]),
    [
      ['warned', true],
      ['warned', true],
      ['failed', true],
      ['failed', false],
    ],
  )
})
