import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { TestContext } from 'node:test'

import { ConfigError } from './config-error.ts'
import { deriveBaseUrl, isLoopback, readConfig } from './read-config.ts'

describe('readConfig', () => {
  it('uses every default without flags, variables and file', (t) => {
    const dataDir = makeDataDir(t)
    const { config } = readConfig({ data: dataDir, settings: { 'log.format': 'json', 'build.concurrency': '2' } }, {})
    assert.deepEqual(
      { ...config, origins: [] },
      {
        dataDir,
        listen: { host: 'localhost', port: 3000 },
        baseUrl: 'http://localhost:3000',
        trustedProxies: [],
        name: 'localhost',
        contact: null,
        databaseUrl: null,
        bucket: null,
        sealingKey: null,
        sandbox: 'required',
        registrationLimits: 'kernel',
        areCoauthorsAllowed: false,
        compileApiKey: null,
        isCompileAnonymous: false,
        metrics: { isEnabled: true, token: null },
        build: {
          timeoutMs: 60_000,
          maxTimeoutMs: 300_000,
          concurrency: 2,
          isLocal: true,
          leaseMs: 60_000,
          waitingEngines: 4,
          maxFiles: 5000,
          maxBytes: 500 * 1024 ** 2,
        },
        isPreviewEnabled: true,
        retention: { buildsMs: 365 * 86_400_000, logsMs: 90 * 86_400_000 },
        maxCacheBytes: 10 * 1024 ** 3,
        maxPushBytes: 1024 ** 3,
        isPrivateImportAllowed: false,
        mirrorEveryMs: 3_600_000,
        webhooks: { isPrivateAllowed: false, keepForMs: 30 * 86_400_000 },
        limits: { anonymousPerMinute: 300, signedInPerMinute: 3000 },
        quotas: { repositories: 1000, storageBytes: 20 * 1024 ** 3, buildMinutes: 600, concurrentPushes: 16 },
        backup: { everyMs: null, keep: 7, dir: join(dataDir, 'backups'), isIncremental: false },
        isSignInRequired: false,
        isPushToCreate: false,
        smtp: null,
        oidc: null,
        log: { level: 'info', format: 'json' },
        origins: [],
      },
    )
  })

  it('prefers a flag to a variable, a variable to the file, the file to the default', (t) => {
    const dataDir = makeDataDir(
      t,
      'listen = ":1"\nbase_url = "http://file.example"\n[build]\ntimeout = "10s"\nmax_files = 7\n',
    )
    const { config } = readConfig(
      { data: dataDir, settings: { listen: ':3' } },
      { TEXPROOF_LISTEN: ':2', TEXPROOF_BASE_URL: 'http://variable.example/' },
    )
    const sources = Object.fromEntries(config.origins.map((line) => [line.key, line.source]))
    assert.deepEqual(
      [config.listen.port, config.baseUrl, config.build.timeoutMs, config.build.maxFiles],
      [3, 'http://variable.example', 10_000, 7],
    )
    assert.deepEqual(
      [sources['listen'], sources['base_url'], sources['build.timeout'], sources['build.max_bytes']],
      ['flag', 'TEXPROOF_BASE_URL', join(dataDir, 'texproof.toml:4'), 'default'],
    )
  })

  it('takes the data directory from the flag, else from TEXPROOF_DATA_DIR, else ./texproof-data', () => {
    const environment = { TEXPROOF_DATA_DIR: '/somewhere' }
    assert.deepEqual(
      [readConfig({ data: '/flag' }, environment), readConfig({}, environment), readConfig({}, {})].map(
        ({ config }) => config.dataDir,
      ),
      ['/flag', '/somewhere', join(process.cwd(), 'texproof-data')],
    )
  })

  it('treats an empty data directory as unset', () => {
    const empty = readConfig({ data: '' }, { TEXPROOF_DATA_DIR: '' }).config
    const variable = readConfig({ data: '' }, { TEXPROOF_DATA_DIR: '/somewhere' }).config
    assert.deepEqual(
      [empty, variable].map(({ dataDir, origins }) => [dataDir, origins[0]?.source]),
      [
        [join(process.cwd(), 'texproof-data'), 'default'],
        ['/somewhere', 'TEXPROOF_DATA_DIR'],
      ],
    )
  })

  it('reads a secret from the file that COMPILE_API_KEY_FILE names and never shows it', (t) => {
    const dataDir = makeDataDir(t)
    writeFileSync(join(dataDir, 'key'), 'sesame\n')
    const { config } = readConfig({ data: dataDir }, { COMPILE_API_KEY_FILE: join(dataDir, 'key') })
    const line = config.origins.find(({ key }) => key === 'compile.api_key')
    assert.deepEqual([config.compileApiKey, line?.value, line?.source], ['sesame', '(set)', 'COMPILE_API_KEY_FILE'])
  })

  it('says which variable to set if the file of a secret cannot be read', (t) => {
    const dataDir = makeDataDir(t)
    assert.throws(() => readConfig({ data: dataDir }, { TEXPROOF_SMTP_URL_FILE: dataDir }), {
      name: 'ConfigError',
      message: `cannot read the secret in ${dataDir}: EISDIR: illegal operation on a directory, read`,
      remedy: 'Set TEXPROOF_SMTP_URL_FILE to a file that this user can read.',
    })
  })

  it('reads a mail server and an identity provider, and derives their display names', (t) => {
    const file =
      '[smtp]\nurl = "smtps://mail.uni.example"\n[oidc]\nissuer = "https://login.uni.example"\nclient_id = "papers"\n'
    const dataDir = makeDataDir(t, `base_url = "https://papers.uni.example"\n${file}`)
    writeFileSync(join(dataDir, 'secret'), 'sesame\n')
    const read = readConfig({ data: dataDir }, { TEXPROOF_OIDC_CLIENT_SECRET_FILE: join(dataDir, 'secret') })
    const { smtp, oidc } = read.config
    assert.deepEqual(
      { smtp, oidc, notices: read.notices },
      {
        smtp: {
          host: 'mail.uni.example',
          port: 465,
          isTls: true,
          login: null,
          from: 'papers.uni.example <noreply@papers.uni.example>',
        },
        oidc: {
          issuer: 'https://login.uni.example',
          clientId: 'papers',
          clientSecret: 'sesame',
          name: 'login.uni.example',
          isJoinAllowed: false,
        },
        notices: [],
      },
    )
  })

  it('refuses an identity provider without a client id', (t) => {
    const dataDir = makeDataDir(t, '[oidc]\nissuer = "https://login.uni.example"\n')
    assert.throws(() => readConfig({ data: dataDir }, {}), /oidc\.client_id is not set/)
  })

  it('refuses a directory of backups in a directory that the server uses', (t) => {
    const dataDir = makeDataDir(t)
    const read = (dir: string) => readConfig({ data: dataDir }, { TEXPROOF_BACKUP_DIR: dir })
    const message = (dir: string): string =>
      `backup.dir is ${join(dataDir, dir)}, but the server uses ${join(dataDir, dir.split('/')[0] ?? '')} itself`
    for (const dir of ['repositories', 'cache/backups']) assert.throws(() => read(dir), refusal(message(dir)))
    assert.equal(read('backups').config.backup.dir, join(dataDir, 'backups'))
  })

  it('warns about settings that contradict each other', (t) => {
    const dataDir = makeDataDir(
      t,
      'base_url = "https://uni.example/papers"\n[build]\ntimeout = "10m"\n[smtp]\nfrom = "papers@uni.example"\n',
    )
    const { notices } = readConfig({ data: dataDir }, { COMPILE_API_KEY: 'a', COMPILE_API_KEY_FILE: '/b' })
    assert.deepEqual(notices, [
      'COMPILE_API_KEY_FILE is ignored, because COMPILE_API_KEY is also set',
      'base_url has a path: links on pages point outside of it, so only git and the API work',
      'build.timeout is longer than build.max_timeout: repositories can only set shorter time limits',
      'smtp.from is set, but smtp.url is not: this host sends no email',
    ])
  })

  it('lists all keys for one in a table with an unknown name', (t) => {
    const dataDir = makeDataDir(t, '[foo]\nbar = 1\n')
    assert.throws(() => readConfig({ data: dataDir }, {}), { remedy: /^Known keys: listen, base_url, / })
  })

  it('refuses an unknown key, with its line and the nearest key', (t) => {
    const dataDir = makeDataDir(t, 'listen = ":1"\n[build]\ntimout = "10s"\n')
    assert.throws(
      () => readConfig({ data: dataDir }, {}),
      refusal(`${dataDir}/texproof.toml:3: unknown key "build.timout": did you mean "build.timeout"?`),
    )
  })

  it('lists the keys of a table with a similar name', (t) => {
    const dataDir = makeDataDir(t, 'registraton = "open"\n')
    const remedy = 'Keys of registration: registration.limits, registration.coauthors'
    assert.throws(() => readConfig({ data: dataDir }, {}), { remedy })
  })

  it('names the flag with an invalid value', (t) => {
    const read = () => readConfig({ data: makeDataDir(t), settings: { base_url: 'papers' } }, {})
    assert.throws(read, refusal('invalid value "papers" for --base-url'))
  })

  it('refuses invalid TOML with its line', (t) => {
    const dataDir = makeDataDir(t, 'listen = ":1"\nbase_url = \n')
    assert.throws(() => readConfig({ data: dataDir }, {}), refusal(`${dataDir}/texproof.toml:2: invalid value`))
  })

  it('refuses a value of the wrong type, with its place', (t) => {
    const dataDir = makeDataDir(t)
    const read = () => readConfig({ data: dataDir }, { TEXPROOF_BUILD_TIMEOUT: 'soon' })
    assert.throws(read, refusal('TEXPROOF_BUILD_TIMEOUT: invalid value "soon" for build.timeout'))
  })

  it('never prints a secret that it refuses', (t) => {
    const dataDir = makeDataDir(t)
    const read = () => readConfig({ data: dataDir }, { COMPILE_API_KEY: 'two words' })
    assert.throws(read, refusal('COMPILE_API_KEY: invalid value for compile.api_key'))
  })

  it('reports an unknown variable without failing', (t) => {
    const { notices } = readConfig({ data: makeDataDir(t) }, { TEXPROOF_LISTN: ':1', TEXPROOF_OTHER_TOOL: 'x' })
    assert.deepEqual(notices, [
      'TEXPROOF_LISTN is not a setting: did you mean TEXPROOF_LISTEN?',
      'TEXPROOF_OTHER_TOOL is not a setting',
    ])
  })
})

describe('deriveBaseUrl', () => {
  it('returns the address that works on this machine', () => {
    const hosts = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::', 'papers.example', '192.0.2.7', '2001:db8::1']
    assert.deepEqual(
      hosts.map((host) => deriveBaseUrl({ host, port: host === 'papers.example' ? 80 : 3000 })),
      [
        'http://127.0.0.1:3000',
        'http://[::1]:3000',
        'http://localhost:3000',
        'http://localhost:3000',
        'http://localhost:3000',
        'http://papers.example',
        'http://192.0.2.7:3000',
        'http://[2001:db8::1]:3000',
      ],
    )
  })
})

describe('isLoopback', () => {
  it('is true for addresses that only this machine can reach', () => {
    const hosts = ['127.0.0.1', '127.8.9.1', '::1', 'localhost', '0.0.0.0', '::', '127.0.0.1.example.org']
    assert.deepEqual(hosts.map(isLoopback), [true, true, true, true, false, false, false])
  })
})

function makeDataDir(t: TestContext, toml?: string): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'texproof-config-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  if (toml !== undefined) writeFileSync(join(dataDir, 'texproof.toml'), toml)
  return dataDir
}

function refusal(message: string): (error: unknown) => boolean {
  return (error) => error instanceof ConfigError && error.message === message
}
