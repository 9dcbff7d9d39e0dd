import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { TestContext } from 'node:test'

import { explainFailure } from './explain-failure.mjs'
import { findMissingPackages } from './find-missing-packages.mjs'
import { runPackages, testPackages } from './host-packages.mjs'

describe('findMissingPackages', () => {
  it('finds a row whose program, file or TeX file is not there, and no other', () => {
    const rows = [
      { name: 'a', reason: '', programs: ['sh'] },
      { name: 'b', reason: '', programs: ['no-such-program'] },
      { name: 'c', reason: '', programs: ['no-such-program|sh'] },
      { name: 'd', reason: '', files: ['/nowhere|/etc/passwd'] },
      { name: 'e', reason: '', files: ['/nowhere'] },
      { name: 'f', reason: '', texFiles: ['article.cls'] },
      { name: 'g', reason: '', texFiles: ['article.cls', 'no-such-file.sty'] },
    ]
    assert.deepEqual(
      findMissingPackages(rows).map(({ name }) => name),
      ['b', 'e', 'g'],
    )
  })

  it('leaves a TeX system that is there as it is', () => {
    const rows = [
      { name: 'a', reason: '', programs: ['pdflatex'] },
      { name: 'b', reason: '', withTex: true as const },
    ]
    assert.deepEqual(findMissingPackages(rows), [])
  })
})

describe('the list of host packages', () => {
  it('names each package once, with a reason, and a way to see whether it is there', () => {
    const rows = [...runPackages, ...testPackages]
    const isChecked = (row: (typeof rows)[number]): boolean =>
      [row.programs, row.files, row.texFiles].some((names) => names !== undefined) !== (row.withTex ?? false)
    assert.deepEqual(
      [
        new Set(rows.map(({ name }) => name)).size,
        rows.filter(({ reason }) => reason === ''),
        rows.filter((row) => !isChecked(row)),
      ],
      [rows.length, [], []],
    )
  })
})

describe('explainFailure', () => {
  it('has words for what a person can mend', () => {
    const outputs = [
      'npm error ENOSPC: no space left on device',
      'npm error code EROFS',
      'npm error errno EAI_AGAIN',
      "E: Failed to fetch http://example.org/x  Temporary failure resolving 'example.org'",
      'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (apt-get)',
      "npm error EACCES: permission denied, mkdir '/x'",
    ]
    assert.deepEqual(
      outputs.map((output) => explainFailure(output).split(/[.:(]/)[0]?.trim()),
      [
        'The disk is full',
        'The checkout',
        'The package server cannot be reached',
        'The package server cannot be reached',
        'Another package manager is at work',
        'You may not write here',
      ],
    )
  })

  it('shows the end of what it does not know', () => {
    assert.equal(explainFailure('one\ntwo\n'), '      one\n      two')
  })
})

describe('scripts/setup.mjs', () => {
  it(
    'refuses a checkout without packages where nobody may write',
    { skip: process.getuid?.() === 0 && 'root may write everywhere' },
    (t) => {
      const { status, stderr } = runSetupIn(makeCheckout(t, 0o555))
      assert.deepEqual([status, stderr.includes('you may not write to')], [1, true])
    },
  )

  it('refuses an unknown word', (t) => {
    const { status, stderr } = spawnSync(process.execPath, [join(makeCheckout(t), 'scripts/setup.mjs'), 'dance'], {
      encoding: 'utf8',
    })
    assert.deepEqual([status, stderr.split('\n')[0]], [2, 'Usage: node scripts/setup.mjs run|dev|test'])
  })
})

function makeCheckout(t: TestContext, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-setup-'))
  t.after(() => {
    spawnSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true })
  })
  cpSync(join(import.meta.dirname, '..'), join(folder, 'scripts'), { recursive: true })
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  spawnSync('chmod', [mode.toString(8), folder])
  return folder
}

function runSetupIn(folder: string): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [join(folder, 'scripts/setup.mjs'), 'run'], { encoding: 'utf8' })
}
