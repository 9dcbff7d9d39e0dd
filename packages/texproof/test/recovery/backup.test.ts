/** Backups and restores with the real command, of a running host that receives pushes in the meantime. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { findBackupRecord, findLastAttempt } from '../../src/backup/last-backup.ts'
import { openStore } from '../../src/store/store.ts'
import { cleanEnvironment, texproofCommand } from '../support/programs/checkout.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runProgram, runTestGit } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const folder = makeFolder({ after })
const clone = join(folder, 'clone')
let host: RunningHost
let token: string

before(async () => {
  host = await startHost({ env: { TEXPROOF_PUSH_TO_CREATE: 'true' } })
  token = await host.makeToken('alice')
  mkdirSync(clone)
  await runTestGit(clone, ['init', '--quiet', '--initial-branch=main'])
  await runTestGit(clone, ['config', 'user.name', 'Alice'])
  await runTestGit(clone, ['config', 'user.email', 'alice@example.org'])
  await push(0)
})
after(() => host.stop('SIGKILL'))

function address(of: Pick<RunningHost, 'url'>): string {
  return `${of.url.replace('//', `//alice:${token}@`)}/alice/notes.git`
}

/** A commit without a document, so that nothing is built. */
async function push(number: number): Promise<string> {
  writeFileSync(join(clone, 'notes.txt'), `${number}\n`)
  await runTestGit(clone, ['add', '.'])
  await runTestGit(clone, ['commit', '--quiet', '--message', `Note ${number}`])
  await runTestGit(clone, ['push', '--quiet', address(host), 'HEAD:main', `HEAD:refs/heads/note-${number}`])
  return runTestGit(clone, ['rev-parse', 'HEAD'])
}

const backUp = (name: string, ...args: readonly string[]) =>
  runTexproof(['backup', 'create', join(folder, name), '--data', host.dataDir, ...args])

describe('texproof backup and restore', () => {
  it('creates a backup during pushes and garbage collection, with every push acknowledged before', async () => {
    const acknowledged: string[] = []
    const over = new AbortController()
    const gitDir = join(host.dataDir, 'repositories/01/1.git')
    const pushing = (async () => {
      for (let number = 1; !over.signal.aborted; number += 1) acknowledged.push(await push(number))
    })()
    const collecting = (async () => {
      while (!over.signal.aborted) await runTestGit(gitDir, ['gc', '--quiet'])
    })()
    const outcomes: unknown[] = []
    try {
      for (const name of ['1.tar', '2.tar']) {
        const before = [...acknowledged]
        const made = await backUp(name)
        const verified = await runTexproof(['backup', 'verify', join(folder, name)])
        const dataDir = join(folder, `from-${name}`)
        await runTexproof(['restore', join(folder, name), '--data', dataDir])
        const restored = join(dataDir, 'repositories/01/1.git')
        await runTestGit(restored, ['fsck', '--full', '--strict'])
        const known = (await runTestGit(restored, ['for-each-ref', '--format=%(objectname)'])).split('\n')
        outcomes.push([made.exitCode, verified.exitCode, before.filter((id) => !known.includes(id))])
      }
    } finally {
      over.abort()
      await Promise.all([pushing, collecting])
    }
    assert.deepEqual(outcomes, [
      [0, 0, []],
      [0, 0, []],
    ])
  })

  it('restores a host with the same tokens and refs', async () => {
    const { stdout } = await backUp('backups')
    const [path = '', , unit, verified] = stdout.trim().split(/\s+/)
    assert.deepEqual([existsSync(path), unit, verified], [true, 'kB', 'verified'])
    const dataDir = join(folder, 'again')
    const { stderr, exitCode } = await runTexproof(['restore', path, '--data', dataDir])
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0]?.replace(/ from the backup of .*/, '')],
      [0, `Restored 1 user, 1 repository, 1 token into ${dataDir}`],
    )
    const again = await startHost({ dataDir })
    try {
      const answer = await fetch(`${again.url}/api/v3/user`, { headers: { authorization: `token ${token}` } })
      const [old, now] = await Promise.all([host, again].map((each) => runTestGit(clone, ['ls-remote', address(each)])))
      assert.deepEqual([answer.status, now], [200, old])
    } finally {
      await again.stop()
    }
  })

  it('leaves no partial backup when it is killed, and the next one is complete', async () => {
    const place = join(folder, 'killed')
    const files = (): string[] => (existsSync(place) ? readdirSync(place) : [])
    const child = spawn(texproofCommand, ['backup', 'create', place, '--data', host.dataDir], {
      env: cleanEnvironment(),
      stdio: 'ignore',
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    await eventually(files, { every: 1, until: (names) => names.length > 0 })
    child.kill('SIGKILL')
    await ended
    const left = files().filter((name) => name.endsWith('.tar'))
    const { exitCode } = await backUp('killed')
    assert.deepEqual([left, exitCode, files().filter((name) => name.endsWith('.tar')).length], [[], 0, 1])
  })

  it('reports a full disk, and leaves nothing on it', { skip: process.getuid?.() !== 0 }, async (t) => {
    const place = join(folder, 'full')
    mkdirSync(place)
    const mounted = await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', place])
    if (mounted.exitCode !== 0) return t.skip('no mounts here')
    try {
      const { exitCode, stderr } = await backUp('full')
      assert.deepEqual([exitCode, /is full$/m.test(stderr), readdirSync(place)], [1, true, []])
    } finally {
      await runProgram('umount', [place])
    }
  })

  it('refuses to restore under a running host, and says what it would replace', async () => {
    const { stdout: made } = await backUp('plan.tar', '--json')
    const { path } = JSON.parse(made) as { readonly path: string }
    const refused = await runTexproof(['restore', path, '--replace', '--data', host.dataDir])
    const plan = await runTexproof(['restore', path, '--dry-run', '--data', host.dataDir])
    const counts = '1 user, 1 repository, 1 token'
    assert.deepEqual(
      [refused.exitCode, refused.stderr.split('\n')[0], plan.exitCode, plan.stdout.split('\n').slice(1)],
      [
        1,
        `texproof: a server or command is using ${host.dataDir}`,
        0,
        [
          `The backup contains ${counts}.`,
          `${host.dataDir} contains ${counts}. --replace would move them aside.`,
          'No changes made.',
          '',
        ],
      ],
    )
  })

  it('names the PDFs of a backup that are damaged, and how to repair them', async () => {
    const pdf = '%PDF-'
    const sound = createHash('sha256').update(pdf).digest('hex')
    const rotten = 'ab'.repeat(32)
    for (const id of [sound, rotten]) {
      mkdirSync(join(host.dataDir, `cache/pdf/${id.slice(0, 2)}`), { recursive: true })
      writeFileSync(join(host.dataDir, `cache/pdf/${id.slice(0, 2)}/${id}.pdf`), pdf)
    }
    const path = join(folder, 'rotten.tar')
    const made = await runTexproof(['backup', 'create', path, '--data', host.dataDir, '--with-pdfs'])
    const verified = await runTexproof(['backup', 'verify', path])
    const { stdout } = await runTexproof(['backup', 'verify', path, '--json'])
    const dataDir = join(folder, 'from-rotten')
    const restored = await runTexproof(['restore', path, '--data', dataDir])
    const repaired = await runTexproof(['doctor', '--repair', '--data', dataDir])
    const pdfs = [sound, rotten].map((id) => existsSync(join(dataDir, `cache/pdf/${id.slice(0, 2)}/${id}.pdf`)))
    const name = `cache/pdf/ab/${rotten}.pdf`
    assert.deepEqual(
      [made.exitCode, made.stderr.replace(/\S+\/texproof /, 'texproof ').split('\n')],
      [
        1,
        [
          `✗ ${join(host.dataDir, name)} is damaged: the content does not match its checksum`,
          `  Remove damaged PDFs, which are then built again on demand: texproof doctor --repair --data ${host.dataDir}`,
          '',
        ],
      ],
    )
    assert.deepEqual(
      [
        verified.exitCode,
        verified.stderr.split('\n'),
        / damaged: 1 user, 1 repository, 1 token$/m.test(verified.stdout),
        (JSON.parse(stdout) as { readonly damaged_pdfs: unknown }).damaged_pdfs,
        restored.exitCode,
        restored.stderr
          .replace(/\S+\/texproof /, 'texproof ')
          .split('\n')
          .slice(0, 2),
        [repaired.exitCode, pdfs],
      ],
      [
        1,
        [
          `✗ ${name} is damaged: the content does not match its checksum`,
          '  After a restore, remove damaged PDFs with texproof doctor --repair. They are built again on demand.',
          '',
        ],
        true,
        [name],
        0,
        [
          `! ${name} was already damaged in the backup`,
          `  Remove damaged PDFs, which are then built again on demand: texproof doctor --repair --data ${dataDir}`,
        ],
        [0, [true, false]],
      ],
    )
  })

  it('lists the damaged PDFs in the JSON of a restore', async () => {
    const name = `cache/pdf/ab/${'ab'.repeat(32)}.pdf`
    mkdirSync(join(host.dataDir, 'cache/pdf/ab'), { recursive: true })
    writeFileSync(join(host.dataDir, name), '%PDF-')
    await backUp('rotten-json.tar', '--with-pdfs')
    const dataDir = join(folder, 'from-rotten-json')
    const { stdout } = await runTexproof(['restore', join(folder, 'rotten-json.tar'), '--data', dataDir, '--json'])
    assert.deepEqual(
      { ...(JSON.parse(stdout) as object), created_at: '' },
      { users: 1, repositories: 1, tokens: 1, created_at: '', aside: null, damaged: [], damaged_pdfs: [name] },
    )
  })

  it('creates no backup and no data directory when there is no host', async () => {
    const dataDir = join(folder, 'mistyped')
    const { exitCode, stderr } = await runTexproof(['backup', 'create', folder, '--data', dataDir])
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0], existsSync(dataDir)],
      [2, `texproof: no host found in ${dataDir}`, false],
    )
  })

  it('shows the last backup in texproof doctor', async () => {
    const { stdout: made } = await backUp('told.tar', '--json')
    const { path } = JSON.parse(made) as { readonly path: string }
    const { stdout } = await runTexproof(['doctor', '--data', host.dataDir])
    assert.match(stdout, new RegExp(`^✓ backup {8}Last backup: \\d+ s ago, .*, ${path}\\.$`, 'm'))
  })

  it('is reported in texproof doctor if it was deleted', async () => {
    const { stdout: made } = await backUp('deleted.tar', '--json')
    const { path } = JSON.parse(made) as { readonly path: string }
    rmSync(path)
    const { stdout } = await runTexproof(['doctor', '--data', host.dataDir])
    assert.match(stdout, new RegExp(`^! backup {8}Last backup: \\d+ s ago, .*\\. ${path} is missing: `, 'm'))
  })

  it('loses nothing when a restore is killed at any moment', async () => {
    const dataDir = join(folder, 'killed-restore')
    const restore = ['restore', join(folder, '1.tar'), '--data', dataDir]
    await runTexproof(restore)
    writeFileSync(join(dataDir, 'mine.txt'), 'mine')
    for (const sign of ['restore-', 'restored', 'replaced-']) {
      const child = spawn(texproofCommand, [...restore, '--replace'], { env: cleanEnvironment(), stdio: 'ignore' })
      const ended = new Promise((resolve) => child.once('close', resolve))
      const hasBegun = () => readdirSync(dataDir).some((name) => name.startsWith(sign))
      await eventually(() => child.exitCode !== null || hasBegun(), { every: 1 })
      child.kill('SIGKILL')
      await ended
    }
    const { exitCode } = await runTexproof([...restore, '--replace'])
    const all = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      [
        exitCode,
        all.filter((path) => path.endsWith('mine.txt')).length,
        all.includes('texproof.db'),
        all.includes('restored'),
      ],
      [0, 1, true, false],
    )
    await runTestGit(join(dataDir, 'repositories/01/1.git'), ['fsck', '--full', '--strict'])
  })

  it('refuses to start on a data directory with an interrupted restore', async () => {
    const dataDir = join(folder, 'half')
    await runTexproof(['restore', join(folder, '1.tar'), '--data', dataDir])
    mkdirSync(join(dataDir, 'restored'))
    const refused = await runTexproof(['serve', '--data', dataDir])
    const again = await runTexproof(['restore', join(folder, '1.tar'), '--replace', '--data', dataDir])
    rmSync(join(dataDir, 'restored'), { recursive: true, force: true })
    assert.deepEqual(
      [refused.exitCode, refused.stderr.split('\n')[0], again.exitCode],
      [2, `texproof: a restore into ${dataDir} was interrupted`, 0],
    )
  })
})

describe('texproof serve with backup.every', () => {
  it('counts manual backups only if they are in backup.dir', async () => {
    const store = await openStore({ dataDir: host.dataDir })
    try {
      await backUp('elsewhere.tar')
      const elsewhere = await findLastAttempt(store)
      const made = await runTexproof(['backup', 'create', '--json', '--data', host.dataDir])
      const { created_at: createdAt } = JSON.parse(made.stdout) as { readonly created_at: string }
      assert.deepEqual([elsewhere, await findLastAttempt(store)], [null, Date.parse(createdAt)])
    } finally {
      await store.close()
    }
  })

  it('creates scheduled backups, keeps the newest, and reports a failure', async () => {
    const place = join(folder, 'scheduled')
    writeFileSync(place, 'no folder')
    const env = { TEXPROOF_BACKUP_EVERY: '1s', TEXPROOF_BACKUP_KEEP: '2', TEXPROOF_BACKUP_DIR: place }
    const scheduled = await startHost({ env })
    const store = await openStore({ dataDir: scheduled.dataDir })
    try {
      const failed = await eventually(async () => (await findBackupRecord(store)).failed)
      rmSync(place)
      await eventually(async () => scheduled.output().split('made a backup').length > 4)
      const { failed: recovered, last } = await findBackupRecord(store)
      assert.deepEqual(
        [failed.reason, recovered, existsSync(last?.path ?? ''), readdirSync(place).length >= 2],
        [`${place} is not a folder. Pass a folder, or a file NAME.tar.`, null, true, true],
      )
    } finally {
      await store.close()
      await scheduled.stop()
    }
    assert.deepEqual(
      readdirSync(place).map((name) => name.endsWith('.tar')),
      [true, true],
    )
  })
})
