import assert from 'node:assert/strict'
import { chownSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { cleanEnvironment, texproofCommand } from '../support/programs/checkout.ts'
import { lockDataDir } from '../../src/store/sqlite/data-dir-lock.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

const isRoot = process.getuid?.() === 0
const ordinaryUid = 54_321

async function createHost(data: string): Promise<void> {
  const { exitCode, stderr } = await runTexproof(['init', '--admin', 'root', '--data', data])
  assert.equal(exitCode, 0, stderr)
}

describe('texproof user add', () => {
  const data = join(makeFolder({ after }), 'data')
  before(() => createHost(data))
  const add = (...args: string[]) => runTexproof(['user', 'add', ...args, '--data', data])

  it('reports the new user on standard error only', async () => {
    assert.deepEqual(await add('alice', '--email', 'alice@example.org'), {
      exitCode: 0,
      stdout: '',
      stderr: 'Created user alice\n',
    })
  })

  it('creates no data directory for a mistyped path', async () => {
    const mistyped = `${data}-mistyped`
    const { exitCode, stdout, stderr } = await runTexproof(['user', 'invite', '--data', mistyped])
    assert.deepEqual(
      [exitCode, stdout, stderr.split('\n')[0], existsSync(mistyped)],
      [2, '', `texproof: no host found in ${mistyped}`, false],
    )
  })

  it('prints the user as JSON when asked', async () => {
    const { exitCode, stdout } = await add('bob', '--admin', '--json')
    const { id, ...rest } = JSON.parse(stdout) as { id: string }
    assert.deepEqual([exitCode, /^\d+$/.test(id), rest], [0, true, { login: 'bob', is_admin: true }])
  })

  it('refuses a name that differs only by case', async () => {
    const { exitCode, stderr } = await add('ALICE')
    assert.deepEqual([exitCode, stderr.split('\n')[0]], [2, 'texproof: username "ALICE" is already taken'])
  })

  it('refuses an invalid name', async () => {
    const { exitCode, stderr } = await add('-x')
    assert.deepEqual([exitCode, stderr.includes('-x')], [2, true])
  })

  it('reads a password from standard input and refuses a short one', async () => {
    const run = (input: string) => runTexproof(['user', 'add', 'carol', '--password-stdin', '--data', data], { input })
    assert.deepEqual(
      [(await run('short\n')).exitCode, (await run('')).exitCode, (await run('long enough\n')).exitCode],
      [2, 2, 0],
    )
  })
})

describe('texproof token create', () => {
  const data = join(makeFolder({ after }), 'data')
  before(() => createHost(data))

  it('prints the token alone on standard output', async () => {
    await runTexproof(['user', 'add', 'alice', '--data', data])
    const { exitCode, stdout } = await runTexproof(['token', 'create', '--user', 'alice', '--data', data])
    assert.deepEqual([exitCode, /^pst_[0-9A-Za-z]{36}\n$/.test(stdout)], [0, true])
  })

  it('prints scopes and expiry as JSON', async () => {
    const args = [
      'token',
      'create',
      '--user',
      'Alice',
      '--scopes',
      'none',
      '--expires',
      'none',
      '--json',
      '--data',
      data,
    ]
    const { token, ...rest } = JSON.parse((await runTexproof(args)).stdout) as { token: string }
    assert.deepEqual([token.startsWith('pst_'), rest], [true, { scopes: [], expires_at: null }])
  })

  it('exits with 2 for an unknown user, scope or duration, with nothing on standard output', async () => {
    const wrong = [
      ['--user', 'nobody'],
      ['--user', 'alice', '--scopes', 'admin'],
      ['--user', 'alice', '--expires', 'soon'],
      ['--user', 'alice', '--expires', '99999999d'],
      [],
    ]
    const outcomes = await Promise.all(wrong.map((args) => runTexproof(['token', 'create', ...args, '--data', data])))
    assert.deepEqual(
      outcomes.map(({ exitCode, stdout }) => [exitCode, stdout]),
      wrong.map(() => [2, '']),
    )
  })
})

describe('texproof token list and revoke', () => {
  const data = join(makeFolder({ after }), 'data')
  before(() => createHost(data))
  const token = (...args: string[]) => runTexproof(['token', ...args, '--data', data])

  it('lists tokens, revokes one by its id, and lists the rest', async () => {
    await runTexproof(['user', 'add', 'alice', '--data', data])
    await token('create', '--user', 'alice', '--name', 'laptop', '--expires', 'none')
    await token('create', '--user', 'alice', '--name', 'mirror', '--scopes', 'none', '--expires', 'none')
    const listed = await token('list', '--user', 'ALICE')
    const revoked = await token('revoke', '1')
    assert.deepEqual(
      [listed.stdout, revoked.exitCode, (await token('list', '--user', 'alice')).stdout],
      [
        '2  mirror  (read-only, never expires, never used)\n1  laptop  (repo:write, never expires, never used)\n',
        0,
        '2  mirror  (read-only, never expires, never used)\n',
      ],
    )
  })

  it('names a missing token or user, and where to look', async () => {
    const outcomes = [
      await token('revoke', '99'),
      await token('revoke', '1e1'),
      await token('list', '--user', 'nobody'),
    ]
    assert.deepEqual(
      outcomes.map(({ exitCode, stderr }) => [exitCode, /List (tokens|users): \S+\/texproof /.test(stderr)]),
      outcomes.map(() => [2, true]),
    )
  })
})

describe('texproof', () => {
  const folder = makeFolder({ after })

  it('exits with 2 and a hint for an unknown command, option or argument', async () => {
    const wrong = [['serv'], ['serve', '--dta', 'x'], ['compile'], ['user', 'add'], ['config', 'show', 'extra'], []]
    const outcomes = await Promise.all(wrong.map((args) => runTexproof(args)))
    assert.deepEqual(
      outcomes.map(({ exitCode, stdout, stderr }) => [exitCode, stdout, stderr.includes('texproof')]),
      wrong.map(() => [2, '', true]),
    )
  })

  it('prints help and version on standard output and exits with 0', async () => {
    const outcomes = await Promise.all(
      [['--help'], ['compile', '--help'], ['--version']].map((args) => runTexproof(args)),
    )
    assert.deepEqual(
      outcomes.map(({ exitCode, stderr }) => [exitCode, stderr]),
      [
        [0, ''],
        [0, ''],
        [0, ''],
      ],
    )
  })

  it('reports a usage error as it reports other errors', async () => {
    const { stderr } = await runTexproof(['frobnicate'])
    assert.equal(stderr, 'texproof: unknown command "frobnicate"\nRun texproof --help for usage.\n')
  })

  it('marks required options, and prints no default of this machine', async () => {
    const { stdout } = await runTexproof(['worker', '--help'])
    const words = stdout.replaceAll(/\s+/g, ' ')
    assert.deepEqual(
      ['--server', '--key-file', '--name'].map((option) => new RegExp(`${option} <.*?(?= --)`).exec(words)?.[0]),
      [
        '--server <url> URL of the server (required)',
        '--key-file <file> file with the worker key, - for standard input (required)',
        '--name <text> name on the status page (default: host name)',
      ],
    )
  })

  it('exits quietly when its output is closed', async () => {
    const { exitCode, stderr } = await runProgram(
      'bash',
      ['-c', `${texproofCommand} compile --help | true; exit \${PIPESTATUS[0]}`],
      { env: cleanEnvironment() },
    )
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' })
  })

  it('prints a remedy when the data directory belongs to another user', { skip: !isRoot && 'needs root' }, async () => {
    const data = join(makeFolder({ after }, 0o755), 'data')
    mkdirSync(data, { mode: 0o755 })
    const { exitCode, stderr } = await runTexproof(['user', 'add', 'alice', '--data', data], { uid: ordinaryUid })
    assert.deepEqual(
      [exitCode, stderr.split('\n')],
      [
        2,
        [
          `texproof: ${data} belongs to uid 0, but this command runs as uid ${ordinaryUid}`,
          `          Run the command as that user: sudo -u '#0' ${realpathSync(texproofCommand)} user add alice --data ${data}. If the server runs as uid ${ordinaryUid}: sudo chown -R ${ordinaryUid} ${data}`,
          '',
        ],
      ],
    )
  })

  it('prints the command that creates a data directory', { skip: !isRoot && 'needs root' }, async () => {
    const data = join(makeFolder({ after }, 0o755), 'data')
    const { exitCode, stderr } = await runTexproof(['init', '--admin', 'alice', '--data', data], { uid: ordinaryUid })
    assert.deepEqual(
      [exitCode, stderr.split('\n')],
      [
        2,
        [
          `texproof: ${data} does not exist, and uid ${ordinaryUid} cannot create it`,
          `          Create it: sudo install -d -m 700 -o ${ordinaryUid} ${data}. Or choose another directory with --data DIR.`,
          '',
        ],
      ],
    )
  })

  it(
    'runs doctor as root on the host of another user, and names the command to run as that user',
    { skip: !isRoot && 'needs root' },
    async () => {
      const data = join(makeFolder({ after }, 0o755), 'data')
      await runTexproof(['init', '--admin', 'alice', '--data', data])
      chownSync(data, ordinaryUid, ordinaryUid)
      const { stdout } = await runTexproof(['doctor', '--json', '--data', data])
      const findings = JSON.parse(stdout) as readonly { readonly check: string; readonly state: string }[]
      assert.deepEqual(
        findings.filter(({ check, state }) => check === 'data' && state !== 'good'),
        [
          {
            check: 'data',
            state: 'weak',
            message: `${data} belongs to uid ${ordinaryUid}, but this command runs as uid 0`,
            remedy: `Run the command as that user: sudo -u '#${ordinaryUid}' ${realpathSync(texproofCommand)} doctor --json --data ${data}`,
          },
        ],
      )
    },
  )

  it('refuses to work as root in the data directory of another user', { skip: !isRoot && 'needs root' }, async () => {
    const data = makeFolder({ after })
    chownSync(data, ordinaryUid, ordinaryUid)
    const { exitCode, stderr } = await runTexproof(['init', '--admin', 'alice'], { env: { TEXPROOF_DATA_DIR: data } })
    assert.deepEqual(
      [exitCode, stderr, readdirSync(data)],
      [
        2,
        `texproof: ${data} belongs to uid ${ordinaryUid}, but this command runs as uid 0\n` +
          `          Run the command as that user: sudo -u '#${ordinaryUid}' ${realpathSync(texproofCommand)} init --admin alice --data ${data}\n`,
        [],
      ],
    )
  })

  it('reports a data directory without a host for doctor --deep and doctor --repair', async () => {
    const data = join(folder, 'mistyped')
    const outcomes = await Promise.all(
      ['--deep', '--repair'].map((option) => runTexproof(['doctor', option, '--data', data])),
    )
    const remedy = 'Set its data directory with --data DIR or TEXPROOF_DATA_DIR. `texproof init` creates a new host.'
    const refused = { exitCode: 2, stdout: '', stderr: `texproof: no host found in ${data}\n          ${remedy}\n` }
    assert.deepEqual(
      outcomes.map(({ exitCode, stdout, stderr }) => ({ exitCode, stdout, stderr })),
      [refused, refused],
    )
  })

  it('names the owner of a private data directory', { skip: !isRoot && 'needs root' }, async () => {
    const data = makeFolder({ after })
    const { exitCode, stderr } = await runTexproof(['user', 'list', '--data', data], { uid: ordinaryUid })
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0]],
      [2, `texproof: ${data} belongs to uid 0, but this command runs as uid ${ordinaryUid}`],
    )
  })

  it('reports a data directory in a private directory', { skip: !isRoot && 'needs root' }, async () => {
    const data = join(makeFolder({ after }), 'data')
    const { exitCode, stderr } = await runTexproof(['user', 'list', '--data', data], { uid: ordinaryUid })
    assert.deepEqual(
      [exitCode, stderr],
      [2, `texproof: ${data} cannot be accessed\n          Run the command as the owner of this directory.\n`],
    )
  })

  it('quotes the path in the command that fixes its mode', async () => {
    const data = join(folder, "alice's papers")
    mkdirSync(data, { mode: 0o755 })
    const { exitCode, stderr } = await runTexproof(['user', 'list', '--data', data])
    assert.deepEqual([exitCode, stderr.split('\n')[1]], [2, `          Fix: chmod 700 '${folder}/alice'\\''s papers'`])
  })

  it('reports a data directory that is a file', async () => {
    const data = join(folder, 'file')
    writeFileSync(data, '')
    const { exitCode, stderr } = await runTexproof(['user', 'add', 'alice', '--data', data])
    assert.deepEqual([exitCode, stderr.split('\n')[0]], [2, `texproof: ${data} is not a directory`])
  })

  it('names the reason once if PostgreSQL cannot be reached', async () => {
    const env = { TEXPROOF_DATABASE_URL: 'postgres://127.0.0.1:1/papers' }
    const { exitCode, stderr } = await runTexproof(['user', 'list', '--data', makeFolder({ after })], { env })
    assert.deepEqual(
      [exitCode, stderr],
      [
        1,
        'texproof: the database is not available: connect ECONNREFUSED 127.0.0.1:1\n' +
          '          Check TEXPROOF_DATABASE_URL and that the server is running.\n',
      ],
    )
  })

  it('names the line of an error in texproof.toml', async () => {
    const data = join(folder, 'configured')
    mkdirSync(data)
    writeFileSync(join(data, 'texproof.toml'), 'listen = ":3000"\nregistraton = "open"\n')
    const { exitCode, stderr } = await runTexproof(['serve', '--data', data])
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0]],
      [2, `texproof: ${data}/texproof.toml:2: unknown key "registraton"`],
    )
  })
})

describe('texproof config validate', () => {
  it('says that the data directory has no settings file, because its path may be mistyped', async () => {
    const data = makeFolder({ after })
    const { exitCode, stderr } = await runTexproof(['config', 'validate', '--data', data])
    const file = join(data, 'texproof.toml')
    assert.deepEqual(
      [exitCode, stderr.replace(/\d+/, 'N')],
      [0, `✓ N settings are valid; 1 differs from the default; ${file} does not exist\n`],
    )
  })
})

describe('texproof backup list', () => {
  it('reports a directory that does not exist', async () => {
    const place = join(makeFolder({ after }), 'no-backups')
    const { exitCode, stderr } = await runTexproof(['backup', 'list', place])
    assert.deepEqual(
      [exitCode, stderr],
      [2, `texproof: ${place} was not found\n          Pass a directory of backups.\n`],
    )
  })

  it('reports a file, which is no directory of backups', async () => {
    const place = join(makeFolder({ after }), 'backup.tar')
    writeFileSync(place, '')
    const { exitCode, stderr } = await runTexproof(['backup', 'list', place])
    assert.deepEqual(
      [exitCode, stderr],
      [2, `texproof: ${place} is not a directory\n          Pass a directory of backups.\n`],
    )
  })
})

describe('texproof move', () => {
  it('does not print a URL that it refuses, which may contain a password', async () => {
    const { exitCode, stderr } = await runTexproof(['move', '--to', 'mysql://root:pass/word@db.example/texproof'])
    assert.deepEqual(
      [exitCode, stderr],
      [
        2,
        'texproof: invalid target\n          Expected: --to postgres://USER:PASSWORD@HOST:5432/DATABASE, or --to sqlite:\n',
      ],
    )
  })
})

describe('texproof doctor', () => {
  it('refuses --dry-run without --repair', async () => {
    const { exitCode, stderr } = await runTexproof(['doctor', '--dry-run', '--data', makeFolder({ after })])
    assert.deepEqual(
      [exitCode, stderr],
      [2, 'texproof: --dry-run requires --repair\n          To only look for damage, use --deep.\n'],
    )
  })

  it('reports working git, TeX and sandbox as JSON', async () => {
    const data = makeFolder({ after })
    const { exitCode, stdout } = await runTexproof(['doctor', '--data', data, '--json'])
    const findings = JSON.parse(stdout) as { check: string; state: string; message: string }[]
    const states = ['git', 'sandbox', 'TeX', 'data'].map(
      (check) => findings.find((finding) => finding.check === check)?.state,
    )
    assert.deepEqual([exitCode, states], [0, ['good', 'good', 'good', 'good']])
    const tex = findings.find(({ check }) => check === 'TeX')?.message ?? ''
    assert.match(tex, /^TeX Live [^()]+ \([^()]+\)$/)
  })

  it('reports the addresses of the running server', async (t) => {
    const data = makeFolder(t)
    const [url, listen] = ['https://papers.example', '127.0.0.1:4106']
    const lock = lockDataDir(data, { pid: process.pid, url, listen })
    t.after(() => lock?.release())
    const { stdout } = await runTexproof(['doctor', '--data', data, '--json'])
    const findings = JSON.parse(stdout) as { check: string; message: string }[]
    assert.deepEqual(
      findings.filter(({ check }) => check === 'address').map(({ message }) => message),
      [`listens on ${listen}, base URL ${url}`],
    )
  })
})
