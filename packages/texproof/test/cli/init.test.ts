/** `texproof init`, with the real command. */
import assert from 'node:assert/strict'
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'

import { openSession } from '../../src/accounts/session/session-cookie.ts'
import { lockDataDir } from '../../src/store/sqlite/data-dir-lock.ts'
import { openStore } from '../../src/store/store.ts'
import type { Store } from '../../src/store/store.ts'
import { makeFolder } from '../support/make-folder.ts'
import { texproofCommand } from '../support/programs/checkout.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

describe('texproof init', () => {
  const folder = makeFolder({ after })
  const data = join(folder, 'data')

  it('sets up a host and changes nothing the second time', async () => {
    writeFileSync(join(folder, 'password'), 'correct horse\n')
    const args = [
      'init',
      '--admin',
      'alice',
      '--password-file',
      join(folder, 'password'),
      '--base-url',
      'https://papers.example.org',
      '--data',
      data,
    ]
    const first = await runTexproof(args)
    const second = await runTexproof(args)
    const shown = await runTexproof(['config', 'show', '--data', data, '--json'])
    const validated = await runTexproof(['config', 'validate', '--data', data])
    assert.deepEqual(
      [validated.exitCode, /^✓ \d+ settings are valid; 2 differ from the default/.test(validated.stderr)],
      [0, true],
    )
    const baseUrl = (JSON.parse(shown.stdout) as { key: string; value: string; source: string }[]).find(
      ({ key }) => key === 'base_url',
    )
    assert.deepEqual(
      [first.exitCode, second.exitCode, baseUrl?.value, baseUrl?.source],
      [0, 0, 'https://papers.example.org', `${join(data, 'texproof.toml')}:2`],
    )
  })

  it('prints the registration rule, and rejects an invalid one', async () => {
    const init = (...args: string[]) => runTexproof(['init', '--admin', 'alice', '--data', data, ...args])
    const open = await init('--registration', 'open', '--registration-domains', 'uni.example,lab.example')
    const wrong = [
      await init('--registration', 'public'),
      await init('--registration', 'invite', '--registration-domains', 'uni.example'),
      await init('--registration', 'open', '--registration-domains', 'uni/example'),
    ]
    assert.match(open.stderr, /Registration: open, email addresses at uni\.example, lab\.example only/)
    assert.deepEqual([open.exitCode, ...wrong.map(({ exitCode }) => exitCode)], [0, 2, 2, 2])
  })

  it('prints how an administrator without a password sets one', async () => {
    const own = join(data, 'without-password')
    const { stderr } = await runTexproof(['init', '--admin', 'bob', '--data', own])
    assert.ok(
      stderr.includes(
        `Created administrator bob\nCreate a link to set the password: ${realpathSync(texproofCommand)} user reset-link bob --data ${own}\n`,
      ),
      stderr,
    )
  })

  it('does not ask to start a server that is running', async (t) => {
    const own = join(data, 'running')
    await runTexproof(['init', '--admin', 'alice', '--data', own])
    const lock = lockDataDir(own, { pid: process.pid, url: 'https://papers.example.org', listen: 'localhost:3000' })
    t.after(() => lock?.release())
    const again = await runTexproof(['init', '--admin', 'alice', '--data', own])
    rmSync(join(own, 'texproof.toml'))
    const withSettings = await runTexproof(['init', '--admin', 'alice', '--listen', 'localhost:4000', '--data', own])
    assert.deepEqual(
      [again, withSettings].map(({ stderr }) => stderr.trimEnd().split('\n').at(-1)),
      [
        'The server is already running: https://papers.example.org',
        `Restart the server to apply ${join(own, 'texproof.toml')}`,
      ],
    )
  })
})

describe('texproof init for an existing user', () => {
  const folder = makeFolder({ after })
  const client = { address: '192.0.2.7', agent: '' }
  let data: string
  let hosts = 0

  beforeEach(async () => {
    data = join(folder, `data-${(hosts += 1)}`)
    await init('alice', 'correct horse')
  })

  function init(admin: string, password: string, ...args: readonly string[]): ReturnType<typeof runTexproof> {
    writeFileSync(join(folder, 'password'), `${password}\n`)
    return runTexproof(['init', '--admin', admin, '--password-file', join(folder, 'password'), '--data', data, ...args])
  }

  async function withHostStore<Result>(use: (store: Store) => Promise<Result>): Promise<Result> {
    const store = await openStore({ dataDir: data })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  }

  /** Signs alice in, and runs a command; resolves to its outcome and what it changed. */
  async function changesOf(run: () => ReturnType<typeof runTexproof>): Promise<unknown> {
    const [user, before] = await withHostStore(async (store) => {
      const found = await store.users.findWithPassword('alice')
      assert.ok(found !== null)
      await openSession(store, found.user, { client, isRemembered: true })
      return [found.user, found.passwordHash]
    })
    const { exitCode, stderr } = await run()
    return withHostStore(async (store) => {
      const events = await store.events.list({ userId: user.id, limit: 20, beforeId: null })
      return {
        exitCode,
        said: stderr.split('\n')[0],
        isSameHash: (await store.users.findWithPassword('alice'))?.passwordHash === before,
        sessions: (await store.sessions.listOfUser(user.id)).length,
        events: events.map(({ kind, actor }) => [kind, actor]),
      }
    })
  }

  it('sets a new password, ends the sessions, and records the event', async () => {
    assert.deepEqual(await changesOf(() => init('alice', 'battery staple')), {
      exitCode: 0,
      said: 'alice is an administrator; password changed, sessions ended',
      isSameHash: false,
      sessions: 0,
      events: [
        ['password-reset', null],
        ['signed-in', 'alice'],
      ],
    })
  })

  it('changes nothing if the password is the same', async () => {
    assert.deepEqual(await changesOf(() => init('alice', 'correct horse')), {
      exitCode: 0,
      said: 'alice is an administrator',
      isSameHash: true,
      sessions: 1,
      events: [['signed-in', 'alice']],
    })
  })

  it('refuses a password that is too short', async () => {
    assert.deepEqual(await changesOf(() => init('alice', 'short')), {
      exitCode: 2,
      said: 'texproof: invalid password',
      isSameHash: true,
      sessions: 1,
      events: [['signed-in', 'alice']],
    })
  })

  it('makes another user an administrator, and records the event', async () => {
    await runTexproof(['user', 'add', 'bob', '--data', data])
    const { exitCode, stderr } = await runTexproof(['init', '--admin', 'bob', '--data', data])
    const events = await withHostStore((store) => store.events.list({ userId: null, limit: 1, beforeId: null }))
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0], events.map(({ kind, login, actor }) => [kind, login, actor])],
      [0, 'bob is an administrator', [['administrator-made', 'bob', null]]],
    )
  })

  it('warns about options that it ignores', async () => {
    const args = [
      '--email',
      'alice@example.org',
      '--listen',
      '127.0.0.1:4000',
      '--base-url',
      'https://papers.example.org',
    ]
    const { exitCode, stderr } = await init('alice', 'correct horse', ...args)
    const path = join(data, 'texproof.toml')
    assert.deepEqual(
      [exitCode, stderr.split('\n').slice(0, -2)],
      [
        0,
        [
          'alice is an administrator',
          '! Ignored --email: alice already exists. Users change their email address in their settings.',
          `! Ignored --listen: this host uses localhost:3000 (default). Set listen in ${path}.`,
          `! Ignored --base-url: this host uses http://localhost:3000 (default, from listen). Set base_url in ${path}.`,
        ],
      ],
    )
  })

  it('creates nothing if a name, email address or password is invalid', async () => {
    data = join(folder, 'refused')
    const outcomes = [
      await init('settings', 'correct horse'),
      await init('alice', 'correct horse', '--email', 'nowhere'),
      await init('alice', 'short'),
    ]
    assert.deepEqual(
      [...outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]]), existsSync(data)],
      [
        [2, 'texproof: username "settings" is reserved'],
        [2, 'texproof: invalid email address'],
        [2, 'texproof: invalid password'],
        false,
      ],
    )
  })
})
