import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { TestContext } from 'node:test'

import { explainFailure } from './explain-failure.mjs'
import { findMissingPackages } from './find-missing-packages.mjs'
import { runPackages, testPackages } from './host-packages.mjs'
import { describeStatus } from './install-host-packages.mjs'
import { findLackOfSpace, parseSizes } from './measure-install.mjs'
import { findMissingFormats } from './make-missing-formats.mjs'
import { mergeModules } from './merge-modules.mjs'
import { readUnfinished, writeUnfinished } from './unfinished.mjs'

const hasNoDpkg = !existsSync('/usr/bin/dpkg-deb') && 'no dpkg here'

/** Imports the function in a Node.js process whose PATH contains no TeX. */
const importFind = `import { findMissingPackages } from '${join(import.meta.dirname, 'find-missing-packages.mjs')}'
const names = (rows) => findMissingPackages(rows).missing.map(({ name }) => name).join()
`

describe('findMissingPackages', () => {
  const names = (rows: readonly { readonly name: string }[]): readonly string[] => rows.map(({ name }) => name)

  it('lists exactly the packages whose program, file or TeX file is missing', () => {
    const rows = [
      { name: 'a', reason: '', programs: ['sh'] },
      { name: 'b', reason: '', programs: ['no-such-program'] },
      { name: 'c', reason: '', programs: ['no-such-program|sh'] },
      { name: 'd', reason: '', files: ['/nowhere|/etc/passwd'] },
      { name: 'e', reason: '', files: ['/nowhere'] },
      { name: 'f', reason: '', texFiles: ['article.cls'] },
      { name: 'g', reason: '', texFiles: ['article.cls', 'no-such-file.sty'] },
    ]
    assert.deepEqual(names(findMissingPackages(rows).missing), ['b', 'e', 'g'])
  })

  it('leaves an existing TeX installation unchanged, unless a profile is requested or unfinished', () => {
    const rows = [
      { name: 'a', reason: '', programs: ['pdflatex'] },
      { name: 'no-such-small', reason: '', profile: 'small' as const },
      { name: 'no-such-full', reason: '', profile: 'full' as const },
    ]
    const found = [
      findMissingPackages(rows),
      findMissingPackages(rows, { profile: 'small' }),
      findMissingPackages(rows, { profile: 'full' }),
      findMissingPackages(rows, { unfinished: ['no-such-full'] }),
    ]
    assert.deepEqual(
      found.map(({ missing }) => names(missing)),
      [[], ['no-such-small'], ['no-such-small', 'no-such-full'], ['no-such-full']],
    )
  })

  it('installs everything if there is no TeX', () => {
    const rows = [
      { name: 'a', reason: '', programs: ['pdflatex'] },
      { name: 'no-such-full', reason: '', profile: 'full' },
    ]
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', `${importFind}console.log(names(${JSON.stringify(rows)}))`],
      { encoding: 'utf8', env: { PATH: '/nonexistent' } },
    )
    assert.deepEqual([status, stdout.trim()], [0, 'a,no-such-full'])
  })

  it('reports an interrupted installation although its programs exist', { skip: hasNoDpkg }, (t) => {
    const { dpkgOptions, dpkg } = makeDpkgDatabase(t)
    const rows = [{ name: 'texproof-probe', reason: '', programs: ['sh'] }]
    const before = findMissingPackages(rows, { dpkgOptions })
    dpkg('--unpack')
    const unpacked = findMissingPackages(rows, { dpkgOptions })
    dpkg('--configure', '--pending')
    const configured = findMissingPackages(rows, { dpkgOptions })
    assert.deepEqual(
      [before, unpacked, configured].map(({ missing, interrupted }) => [names(missing), names(interrupted)]),
      [
        [[], []],
        [['texproof-probe'], ['texproof-probe']],
        [[], []],
      ],
    )
  })
})

describe('measureInstall', () => {
  it('reads the sizes that apt prints', () => {
    const outputs = [
      'Need to get 1,928 MB of archives.\nAfter this operation, 4621 MB of additional disk space will be used.\n',
      'Need to get 12.4 kB/1,900 MB of archives.\nAfter this operation, 2.5 GB of additional disk space will be used.\n',
      'After this operation, 8,192 B of additional disk space will be used.\n',
      'E: Unable to locate package x\n',
    ]
    assert.deepEqual(outputs.map(parseSizes), [
      { downloadBytes: 1_928_000_000, diskBytes: 4_621_000_000 },
      { downloadBytes: 12_400, diskBytes: 2_500_000_000 },
      { downloadBytes: 0, diskBytes: 8192 },
      null,
    ])
  })

  it('reports a disk that is too small', { skip: !existsSync('/var/cache/apt') && 'no apt here' }, () => {
    assert.equal(findLackOfSpace({ downloadBytes: 0, diskBytes: 0 }), null)
    assert.match(findLackOfSpace({ downloadBytes: 1e15, diskBytes: 1e15 }) ?? '', /needs \d+\.\d GB and has .+ free$/)
  })
})

describe('describeStatus', () => {
  it('reads the percentage of a download and of an installation', () => {
    const lines = ['dlstatus:3:12.5:Retrieving file 3 of 80', 'pmstatus:texlive-base:41.2:Unpacking texlive-base (all)']
    assert.deepEqual(
      lines.map((line) => describeStatus(line, true)),
      ['download  12 %  Retrieving file 3 of 80', 'install  41 %  Unpacking texlive-base (all)'],
    )
  })
})

describe('findMissingFormats', () => {
  const formats = ['pdflatex.fmt', 'xelatex.fmt', 'lualatex.fmt', 'latex.fmt', 'platex.fmt', 'uplatex.fmt']

  it('lists the missing formats of all installed engines', { skip: lacksEngines() && 'not all engines here' }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'texproof-formats-'))
    const before = process.env['TEXMFSYSVAR']
    t.after(() => {
      rmSync(folder, { recursive: true })
      if (before === undefined) delete process.env['TEXMFSYSVAR']
      else process.env['TEXMFSYSVAR'] = before
    })
    process.env['TEXMFSYSVAR'] = folder
    const missing = findMissingFormats()
    mkdirSync(join(folder, 'web2c', 'eptex'), { recursive: true })
    writeFileSync(join(folder, 'web2c', 'eptex', 'platex.fmt'), 'format')
    // TeX finds the files of this tree only through its list.
    writeFileSync(join(folder, 'ls-R'), `${LIST_HEADER}\n./web2c/eptex:\nplatex.fmt\n`)
    assert.deepEqual([missing, findMissingFormats()], [formats, formats.filter((name) => name !== 'platex.fmt')])
  })
})

const LIST_HEADER = '% ls-R -- filename database for kpathsea; do not change this line.'

/** The test requires Debian's TeX with the Japanese engines. */
function lacksEngines(): boolean {
  const isDebian = spawnSync('dpkg-query', ['--show', 'texlive-base']).status === 0
  return !isDebian || ['xelatex', 'uplatex'].some((name) => spawnSync(name, ['--version']).status !== 0)
}

describe('unfinished.json', () => {
  it('records an unfinished installation until it is complete', (t) => {
    const root = mkdtempSync(join(tmpdir(), 'texproof-unfinished-'))
    t.after(() => rmSync(root, { recursive: true }))
    const before = readUnfinished(root)
    writeUnfinished(root, ['texlive-music'])
    const begun = readUnfinished(root)
    writeUnfinished(root, [])
    assert.deepEqual([before, begun, readUnfinished(root)], [[], ['texlive-music'], []])
  })
})

describe('the list of host packages', () => {
  it('names each package once, with a reason and a way to detect it', () => {
    const rows = [...runPackages, ...testPackages]
    const isChecked = (row: (typeof rows)[number]): boolean =>
      [row.programs, row.files, row.texFiles].some((names) => names !== undefined) !== (row.profile !== undefined)
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
  it('explains failures that users can fix', () => {
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
        'The package server is unreachable',
        'The package server is unreachable',
        'Another package manager is running',
        'Permission denied',
      ],
    )
  })

  it('shows the end of unknown output', () => {
    assert.equal(explainFailure('one\ntwo\n'), '      one\n      two')
  })
})

describe('scripts/setup.mjs', () => {
  it(
    'refuses a checkout without packages where nobody may write',
    { skip: process.getuid?.() === 0 && 'root can write everywhere' },
    (t) => {
      const { status, stderr } = runSetupIn(makeCheckout(t, 0o555))
      assert.deepEqual([status, stderr.includes('is not writable')], [1, true])
    },
  )

  it('rejects an unknown mode', (t) => {
    const { status, stderr } = spawnSync(process.execPath, [join(makeCheckout(t), 'scripts/setup.mjs'), 'dance'], {
      encoding: 'utf8',
    })
    assert.deepEqual(
      [status, stderr.split('\n')[0]],
      [2, 'Usage: node scripts/setup.mjs run|dev|test [--tex small|full]'],
    )
  })
})

describe('scripts/start', () => {
  it('rejects an unknown TeX profile', (t) => {
    const folder = makeCheckout(t)
    const { status, stderr } = spawnSync('scripts/start', ['--tex', 'tiny'], { cwd: folder, encoding: 'utf8' })
    assert.deepEqual([status, stderr.split('\n')[0]], [2, '--tex must be small or full.'])
  })

  it('passes all other options to the server', (t) => {
    const folder = makeCheckout(t)
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    writeFileSync(join(programs, 'node'), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(join(programs, 'texproof'), '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 })
    const started = [
      ['--tex', 'small', '--data', 'a b', '--listen', ':1'],
      ['--data', 'a b', '--tex=full'],
      ['--data', 'x', '--tex', 'full', '--open'],
      [],
    ].map((args) =>
      spawnSync('scripts/start', args, {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: `${programs}:${process.env['PATH'] ?? ''}` },
      }),
    )
    assert.deepEqual(
      started.map(({ stdout }) => stdout),
      ['serve|--data|a b|--listen|:1|', 'serve|--data|a b|', 'serve|--data|x|--open|', 'serve|'],
    )
  })
})

/** A test package in a separate dpkg database, in which its installation can really be interrupted. */
function makeDpkgDatabase(t: TestContext): {
  readonly dpkgOptions: readonly string[]
  readonly dpkg: (...action: readonly string[]) => void
} {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-dpkg-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'package', 'DEBIAN'), { recursive: true })
  const control = [
    'Package: texproof-probe',
    'Version: 1',
    'Architecture: all',
    'Maintainer: alice',
    'Description: probe',
  ]
  writeFileSync(join(folder, 'package', 'DEBIAN', 'control'), `${control.join('\n')}\n`)
  const archive = join(folder, 'probe.deb')
  run('dpkg-deb', ['--root-owner-group', '--build', join(folder, 'package'), archive])
  const root = join(folder, 'root')
  for (const name of ['info', 'updates', 'triggers']) mkdirSync(join(root, 'var/lib/dpkg', name), { recursive: true })
  for (const name of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', name), '')
  const options = ['--force-not-root', '--force-bad-path', `--root=${root}`, `--log=${join(folder, 'log')}`]
  return {
    dpkgOptions: [`--admindir=${join(root, 'var/lib/dpkg')}`],
    dpkg: (...action) => run('dpkg', [...options, ...action, ...(action[0] === '--unpack' ? [archive] : [])]),
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

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

describe('mergeModules', () => {
  it('replaces the entry points of a package by files that share one copy of its modules', async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'texproof-merge-'))
    t.after(() => rmSync(root, { recursive: true }))
    const write = (file: string, source: string): void => {
      mkdirSync(join(root, 'node_modules', file, '..'), { recursive: true })
      writeFileSync(join(root, 'node_modules', file), source)
    }
    for (const name of ['kysely', 'zod']) write(`${name}/package.json`, '{ "type": "module" }')
    write('zod/index.js', "export * from './inner.js'")
    write('zod/inner.js', "export const z = 'schema'")
    write('kysely/dist/index.js', "export { Query } from './query.js'")
    write('kysely/dist/migration/index.js', "export { Query } from '../query.js'")
    write('kysely/dist/query.js', 'export class Query {}')

    await mergeModules(root)
    for (const file of ['zod/inner.js', 'kysely/dist/query.js']) rmSync(join(root, 'node_modules', file))
    await mergeModules(root)

    const load = (file: string) => import(join(root, 'node_modules', file)) as Promise<Record<string, unknown>>
    const [schemas, queries, migrations] = await Promise.all(
      ['zod/index.js', 'kysely/dist/index.js', 'kysely/dist/migration/index.js'].map(load),
    )
    assert.equal(schemas?.['z'], 'schema')
    assert.equal(typeof queries?.['Query'], 'function')
    assert.equal(queries?.['Query'], migrations?.['Query'])
  })
})
