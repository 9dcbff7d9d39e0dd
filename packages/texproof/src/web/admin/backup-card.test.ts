import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import type { BackupRecord } from '../../backup/last-backup.ts'
import { backupCard } from './backup-card.ts'

const now = Date.UTC(2026, 10, 20, 12)
const hour = 3_600_000
const program = fileURLToPath(new URL('../../../bin/texproof', import.meta.url))
const create = `${program} backup create /backups --data /data`
const byItself = `# Or every day, by the server:\nTEXPROOF_BACKUP_EVERY=24h ${program} serve --data /data`

function cardOf(record: Partial<BackupRecord>, everyMs: number | null = null) {
  const config = {
    dataDir: '/data',
    origins: [],
    backup: { everyMs, keep: 7, dir: '/data/backups', isIncremental: false },
  }
  return backupCard(config, { last: null, isLastGone: false, failed: null, now, ...record })
}

function made(hoursAgo: number, path = '/backups/one.tar') {
  return { at: now - hoursAgo * hour, path, sizeBytes: 41 * 1024 ** 2 }
}

test('the card of backups explains how to make one if there is none', () => {
  assert.deepEqual(cardOf({}), {
    title: 'Backup',
    state: 'warned',
    text: 'This host has no backup.',
    remedy: `${create}\n${byItself}`,
  })
})

test('the card of backups shows age, size and location of the last one', () => {
  assert.deepEqual(cardOf({ last: made(3) }), {
    title: 'Backup',
    state: 'good',
    text: 'Last backup: 3 h ago, 41 MB, /backups/one.tar.',
    remedy: null,
  })
})

test('the card of backups asks for a copy elsewhere if the last one is stored next to the data', () => {
  const { text } = cardOf({ last: made(3, '/data/backups/one.tar') })
  assert.match(text, / It is in the data directory: copy it to another machine\.$/)
})

test('a backup is old after a week, or when the host has skipped two', () => {
  assert.deepEqual(
    [
      cardOf({ last: made(167) }),
      cardOf({ last: made(169) }),
      cardOf({ last: made(48) }, 24 * hour),
      cardOf({ last: made(50) }, 24 * hour),
    ].map(({ state, remedy }) => [state, remedy]),
    [
      ['good', null],
      ['warned', `${create}\n${byItself}`],
      ['good', null],
      ['warned', create],
    ],
  )
})

test('the card of backups warns if the last one is missing', () => {
  assert.deepEqual(cardOf({ last: made(3), isLastGone: true }), {
    title: 'Backup',
    state: 'warned',
    text: 'Last backup: 3 h ago, 41 MB. /backups/one.tar is missing: it was deleted or moved, or its disk is not mounted.',
    remedy: create,
  })
})

test('the card of backups shows why the last one failed, and which one succeeded', () => {
  const failed = { at: now - hour, reason: 'the disk of /backups is full. Free some space.' }
  assert.deepEqual(
    [cardOf({ failed }), cardOf({ failed, last: made(25) }), cardOf({ failed, last: made(25), isLastGone: true })].map(
      ({ state, text }) => [state, text],
    ),
    [
      [
        'failed',
        'The last backup failed 60 min ago: the disk of /backups is full. Free some space. There is no earlier backup.',
      ],
      [
        'failed',
        'The last backup failed 60 min ago: the disk of /backups is full. Free some space. Last successful backup: 25 h ago.',
      ],
      [
        'failed',
        'The last backup failed 60 min ago: the disk of /backups is full. Free some space. Last successful backup: 25 h ago, but /backups/one.tar is missing.',
      ],
    ],
  )
})
