import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import { checkDataDir } from '../../src/cli/doctor/check-data-dir.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { deleteRepository } from '../../src/operations/repository/delete-repository.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { openWebClient } from '../support/web/web-client.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
const disk = mountSmallDisk()
const skip = disk === null ? 'only root may mount a file system of limited size' : false

const password = 'nine trees by the river'
let host: PaperHost

before(async () => {
  if (disk !== null) host = await openPaperHost({ dataDir: join(disk, 'data') })
})

after(async () => {
  if (disk === null) return
  await host.close()
  execFileSync('umount', ['--lazy', disk])
  rmSync(disk, { recursive: true })
})

/** null for an unprivileged user, and for root in a container without the right to mount. */
function mountSmallDisk(size = '400m'): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  if (mounted.status === 0) return folder
  rmSync(folder, { recursive: true })
  return null
}

/** Mounts one that is removed after the test. */
function openSmallDisk(t: TestContext, size?: string): string {
  const folder = mountSmallDisk(size) ?? ''
  t.after(() => {
    execFileSync('umount', ['--lazy', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** Leaves a few megabytes free: less than the reserve. */
function fill(folder: string): () => void {
  const { bavail, bsize } = statfsSync(folder)
  const file = join(folder, 'filler')
  execFileSync('fallocate', ['-l', String(bavail * bsize - 6 * 1024 * 1024), file])
  return () => rmSync(file)
}

test(
  'a full disk refuses pushes and edits with the reason, still signs in and deletes, and recovers',
  { skip },
  async () => {
    const outcome = await addTestUser(host.deps.store, { login: 'alice', password })
    if (outcome.kind !== 'added') throw new Error(outcome.reason)
    const repository = await host.addRepository(outcome.user, 'tides')
    const spare = await host.addRepository(outcome.user, 'spare')
    const token = await host.addToken(outcome.user, ['repo:write'])
    const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'main.tex': ARTICLE })
    await checkout.git('push', 'origin', 'main')
    await host.whenBuilt(repository.id)
    await checkout.commit({ 'main.tex': `${ARTICLE}% pushed\n` })
    const before = await host.deps.git.findBranch(repository.id, 'main')
    const opened = before?.commitId ?? ''
    const text = `${ARTICLE}% typed for an hour\n`
    const edit = { text, message: 'Edit', opened, path: 'main.tex', branch: 'main', to: 'branch' }
    const free = fill(disk ?? '')

    const alice = openWebClient(host.origin)
    const signedIn = await alice.submit('/login', '/login', { name: 'alice', password })
    const page = '/alice/tides/edit/main/main.tex'
    const edited = await alice.submit(page, page, edit)
    const pushed = await checkout.git('push', 'origin', 'main').catch(String)
    const after = await host.deps.git.findBranch(repository.id, 'main')
    await deleteRepository(host.deps, { repository: spare, actor: outcome.user })

    assert.equal(signedIn.status, 303)
    assert.equal(edited.status, 507)
    assert.match(edited.text, /The disk of this server is full\. Nothing was changed\./)
    assert.match(edited.text, /% typed for an hour/)
    assert.match(JSON.stringify(pushed), /the disk of this server is full: contact the administrator/)
    assert.deepEqual(after, before)

    free()
    const retried = await alice.submit(page, page, edit)
    assert.equal(retried.status, 303)
    assert.notDeepEqual(await host.deps.git.findBranch(repository.id, 'main'), before)
  },
)

test('commands and doctor name a full disk, and what to do', { skip }, async (t) => {
  const folder = openSmallDisk(t)
  const dataDir = join(folder, 'data')
  await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
  const { bavail, bsize } = statfsSync(folder)
  execFileSync('fallocate', ['-l', String(bavail * bsize), join(folder, 'filler')])
  const { config } = readConfig({ data: dataDir }, {})
  assert.deepEqual(
    [await runTexproof(['user', 'add', 'bob', '--data', dataDir]), await checkDataDir(config)],
    [
      {
        exitCode: 1,
        stdout: '',
        stderr:
          'texproof: no space left for the database: disk I/O error\n          Free up disk space, and run the command again.\n',
      },
      [
        {
          check: 'data',
          state: 'broken',
          remedy: 'Free up disk space: pushes, commits and builds are refused.',
          message: `${dataDir}, 0 B free`,
        },
      ],
    ],
  )
})

test('an import names a full disk', { skip }, async (t) => {
  const folder = openSmallDisk(t)
  const dataDir = join(folder, 'data')
  await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
  const source = join(folder, 'tides.tex')
  writeFileSync(source, ARTICLE)
  fill(folder)

  const { exitCode, stderr } = await runTexproof(['import', source, '--owner', 'alice', '--data', dataDir])

  assert.deepEqual(
    [exitCode, stderr.split('\n').slice(-3)],
    [
      1,
      [
        'texproof: the disk is full: create a repository with files',
        '          Free up disk space, and run the command again.',
        '',
      ],
    ],
  )
})

test(
  'a backup that does not fit into the temporary folder names it, and nothing is left there',
  { skip },
  async (t) => {
    const folder = makeFolder(t)
    const small = openSmallDisk(t, '64k')
    const [dataDir, path] = [join(folder, 'data'), join(folder, 'host.tar')]
    await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
    await runTexproof(['backup', 'create', path, '--data', dataDir])

    const run = await runTexproof(['backup', 'verify', path], { env: { TMPDIR: small } })

    assert.deepEqual(
      [run, readdirSync(small)],
      [
        {
          exitCode: 1,
          stdout: '',
          stderr:
            `texproof: no space left in ${small} to unpack the backup\n` +
            '          Free up disk space there, or set TMPDIR to a folder on another disk.\n',
        },
        [],
      ],
    )
  },
)
