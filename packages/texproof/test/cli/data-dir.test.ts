/** Permissions and locking of the data directory, with the real commands. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { makeFolder } from '../support/make-folder.ts'
import { texproofCommand } from '../support/programs/checkout.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { startHost } from '../support/hosts/start-host.ts'

/** Commands that would create a database, and one that only reads it. */
const creatingCommands = [
  ['serve', '--listen', '127.0.0.1:0'],
  ['init', '--admin', 'alice'],
  ['demo'],
  ['user', 'list'],
]

describe('the data directory', () => {
  it('has no files that other users can read, with any umask', async (t) => {
    const dataDir = makeFolder({ after })
    const host = await startHost({ dataDir })
    t.after(() => host.stop('SIGKILL'))
    const files = readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).isFile())
    const modes = files.map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)])
    assert.deepEqual(
      [modes.filter(([, mode]) => mode !== '600'), files.includes('texproof.db'), files.includes('texproof.db-wal')],
      [[], true, true],
    )
  })

  it('is created for its owner alone', async () => {
    const dataDir = join(makeFolder({ after }), 'new')
    const { exitCode } = await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
    assert.deepEqual([exitCode, statSync(dataDir).mode & 0o777], [0, 0o700])
  })

  it('cannot be created in a file system that accepts no folders, and the remedy is to choose another', async (t) => {
    const backup = join(makeFolder(t), 'host.tar')
    writeFileSync(backup, 'not read')
    const commands = [
      ['serve', '--listen', '127.0.0.1:0'],
      ['restore', backup],
    ]
    const runs = await Promise.all(commands.map((command) => runTexproof([...command, '--data', '/proc/texproof'])))
    const expected = [
      2,
      `texproof: /proc/texproof does not exist, and uid ${process.getuid?.()} cannot create it\n          Choose another directory with --data DIR.\n`,
    ]
    assert.deepEqual(
      runs.map(({ exitCode, stderr }) => [exitCode, stderr]),
      [expected, expected],
    )
  })

  for (const mode of [0o755, 0o750, 0o701]) {
    it(`is refused with mode ${mode.toString(8)}, with the command that fixes it`, async () => {
      const dataDir = makeFolder({ after }, mode)
      const { exitCode, stderr } = await runTexproof(['serve', '--data', dataDir, '--listen', '127.0.0.1:0'])
      assert.deepEqual(
        [exitCode, stderr.includes(`chmod 700 ${dataDir}`), existsSync(join(dataDir, 'texproof.db'))],
        [2, true, false],
      )
    })
  }

  it('restricts the database of an earlier version to its owner', async () => {
    const dataDir = makeFolder({ after })
    await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
    chmodSync(join(dataDir, 'texproof.db'), 0o644)
    await runTexproof(['user', 'list', '--data', dataDir])
    assert.equal(statSync(join(dataDir, 'texproof.db')).mode & 0o777, 0o600)
  })

  it('has no server without a folder of temporary files, and the remedy is TMPDIR', async () => {
    const dataDir = makeFolder({ after })
    const command = ['serve', '--data', dataDir, '--listen', '127.0.0.1:0']
    const { exitCode, stderr } = await runTexproof(command, { env: { TMPDIR: '/dev/null' } })
    assert.deepEqual(
      [exitCode, stderr],
      [
        1,
        "texproof: cannot use /dev/null for temporary files: ENOTDIR: not a directory, mkdtemp '/dev/null/platex-spawner-XXXXXX'\n" +
          '          Set TMPDIR to a writable directory.\n',
      ],
    )
  })

  it('is not created by texproof doctor', async () => {
    const folder = makeFolder({ after }, 0o755)
    await runTexproof(['doctor', '--data', join(folder, 'new')])
    assert.deepEqual(readdirSync(folder), [])
  })

  for (const state of ['missing', 'empty']) {
    it(`is refused if it has repositories, but its database is ${state}`, async () => {
      const dataDir = makeFolder({ after })
      mkdirSync(join(dataDir, 'repositories/01/1.git'), { recursive: true })
      if (state === 'empty') writeFileSync(join(dataDir, 'texproof.db'), '')
      const before = readdirSync(dataDir)
      const runs = await Promise.all(creatingCommands.map((args) => runTexproof([...args, '--data', dataDir])))
      const stderr =
        `texproof: the database ${dataDir}/texproof.db is ${state}, but there are repositories\n` +
        `          Restore a backup: ${realpathSync(texproofCommand)} restore FILE --replace --data ${dataDir}. The repositories are kept aside.\n`
      assert.deepEqual([runs, readdirSync(dataDir)], [runs.map(() => ({ exitCode: 2, stdout: '', stderr })), before])
    })
  }

  it('is refused without TEXPROOF_DATABASE_URL after its database was moved to PostgreSQL', async () => {
    const dataDir = makeFolder({ after })
    for (const at of [1_700_000_000_000, 1_800_000_000_000])
      writeFileSync(join(dataDir, `texproof-moved-${at}.db`), 'data')
    const before = readdirSync(dataDir)
    const runs = await Promise.all(creatingCommands.map((args) => runTexproof([...args, '--data', dataDir])))
    const stderr =
      `texproof: the database of ${dataDir} was moved to PostgreSQL, and TEXPROOF_DATABASE_URL is not set\n` +
      '          Set this variable. To continue with the data from before the move instead, rename texproof-moved-1800000000000.db to texproof.db.\n'
    assert.deepEqual([runs, readdirSync(dataDir)], [runs.map(() => ({ exitCode: 2, stdout: '', stderr })), before])
  })

  it('is refused with TEXPROOF_DATABASE_URL while its data is in SQLite', async () => {
    const dataDir = makeFolder({ after })
    await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
    const env = { TEXPROOF_DATABASE_URL: 'postgres://texproof@127.0.0.1:9/texproof' }
    const runs = await Promise.all(creatingCommands.map((args) => runTexproof([...args, '--data', dataDir], { env })))
    const stderr =
      `texproof: TEXPROOF_DATABASE_URL is set, but the data of this host is in ${dataDir}/texproof.db\n` +
      `          Move it to PostgreSQL with ${realpathSync(texproofCommand)} move --data ${dataDir}, or unset TEXPROOF_DATABASE_URL. If PostgreSQL has the newer data, rename the file.\n`
    assert.deepEqual(
      runs,
      runs.map(() => ({ exitCode: 2, stdout: '', stderr })),
    )
  })

  it('is used after an interrupted first start, which left an empty database and folders', async () => {
    const dataDir = makeFolder({ after })
    for (const name of ['01', 'making', 'trash']) mkdirSync(join(dataDir, 'repositories', name), { recursive: true })
    writeFileSync(join(dataDir, 'texproof.db'), '')
    const { exitCode } = await runTexproof(['init', '--admin', 'alice', '--data', dataDir])
    assert.equal(exitCode, 0)
  })

  it('is locked by its server: a second server is refused, other commands work', async (t) => {
    const dataDir = makeFolder({ after })
    const host = await startHost({ dataDir })
    t.after(() => host.stop('SIGKILL'))
    const second = await runTexproof(['serve', '--data', dataDir, '--listen', '127.0.0.1:0'])
    const command = await runTexproof(['user', 'add', 'alice', '--data', dataDir])
    const named = /another server is already running on (\S+) \(pid (\d+), (\S+)\)/.exec(second.stderr)?.slice(1)
    assert.deepEqual(
      [second.exitCode, named?.[0], named?.[2], (await fetch(`${host.url}/health`)).status, command.exitCode],
      [2, dataDir, host.url, 200, 0],
    )
  })

  it('is unlocked when its server was killed', async (t) => {
    const dataDir = makeFolder({ after })
    await (await startHost({ dataDir })).stop('SIGKILL')
    const host = await startHost({ dataDir })
    t.after(() => host.stop('SIGKILL'))
    assert.equal((await fetch(`${host.url}/health`)).status, 200)
  })
})
