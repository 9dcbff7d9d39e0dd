import { availableParallelism } from 'node:os'

import { parseBucketUrl } from './parse-bucket-url.ts'
import { parseNetworks } from './parse-networks.ts'
import {
  parseBaseUrl,
  parseBoolean,
  parseClientText,
  parseCount,
  parseCountOrNone,
  parseDuration,
  parseIssuer,
  parseKey,
  parseLine,
  parseListen,
  parsePath,
  parsePostgresUrl,
  parseSealingKey,
  parseSender,
  parseSize,
  parseSmtpUrl,
  parseWait,
} from './parse-values.ts'

// Every setting is one row: its key in texproof.toml, its default, its type and its description. The environment variable
// follows from the key (`build.timeout` is TEXPROOF_BUILD_TIMEOUT), and the `Config` type from the shape of this table.

/** One setting. `Fallback` is null for a setting that may be absent. */
export interface Setting<Value = unknown, Fallback extends string | null = string | null, Key extends string = string> {
  readonly key: Key
  /** A secret can also be read from the file that `<variable>_FILE` names. */
  readonly variable: string
  readonly isSecret: boolean
  /** The default, as text. */
  readonly fallback: Fallback
  /** null = invalid. */
  readonly parse: (text: string) => Value | null
  /** The valid values, for error messages and documents. */
  readonly expects: string
  readonly description: string
}

interface ValueType<Value> {
  readonly parse: (text: string) => Value | null
  readonly expects: string
}

const boolean: ValueType<boolean> = { parse: parseBoolean, expects: 'true or false' }
const count: ValueType<number> = { parse: parseCount, expects: 'a whole number from 1' }
const countOrNone: ValueType<number> = { parse: parseCountOrNone, expects: 'a whole number from 0' }
const duration: ValueType<number> = { parse: parseDuration, expects: 'a duration, e.g. 30s, 5m, 12h or 7d' }
const wait: ValueType<number> = { parse: parseWait, expects: 'a duration up to 24h, e.g. 30s or 5m' }
const size: ValueType<number> = { parse: parseSize, expects: 'a size, e.g. 500m or 2g (powers of 1024)' }
const line: ValueType<string> = { parse: parseLine, expects: 'one line of at most 100 characters' }
const apiKey: ValueType<string> = { parse: parseKey, expects: 'visible ASCII characters without spaces' }
const clientText: ValueType<string> = { parse: parseClientText, expects: 'printable ASCII characters' }
const listen = { parse: parseListen, expects: 'HOST:PORT, e.g. 127.0.0.1:3000' }
const url = { parse: parseBaseUrl, expects: 'a URL, e.g. https://papers.example.org' }
const networks = { parse: parseNetworks, expects: 'none, or addresses and networks, e.g. 10.0.0.5, 10.1.0.0/16' }
const issuerUrl = { parse: parseIssuer, expects: 'the https URL of the issuer' }
const postgresUrl = { parse: parsePostgresUrl, expects: 'postgres://USER:PASSWORD@HOST:5432/DATABASE' }
const bucketUrl = { parse: parseBucketUrl, expects: 's3://KEY:SECRET@HOST/BUCKET/PREFIX' }
const sealingKey = { parse: parseSealingKey, expects: '64 hexadecimal digits, e.g. from: openssl rand -hex 32' }
const smtpUrl = { parse: parseSmtpUrl, expects: 'smtp://USER:PASSWORD@HOST:587, or smtps://… for TLS from the start' }
const sender = { parse: parseSender, expects: 'an address, e.g. Papers <papers@uni.example>' }
const directory = { parse: parsePath, expects: 'a directory; relative paths start at the data directory' }

/** The settings of a host, in the order in which they are printed. */
export const settings = {
  listen: setting('listen', 'localhost:3000', listen, 'Address and port to listen on'),
  baseUrl: setting('base_url', null, url, 'Public URL: all links start with it'),
  trustedProxies: setting(
    'trusted_proxies',
    'none',
    networks,
    'Reverse proxies on other machines whose X-Forwarded-For is trusted; proxies on this machine always are',
  ),
  name: setting('name', null, line, 'Name of this host'),
  contact: setting('contact', null, line, 'Contact for users of this host: a name or an address'),
  databaseUrl: secret('database_url', postgresUrl, 'PostgreSQL database; if not set, SQLite in the data directory'),
  bucket: secret('blob_url', bucketUrl, 'S3-compatible bucket that keeps PDFs, logs and SyncTeX data of builds'),
  sealingKey: secret(
    'sealing_key',
    sealingKey,
    'Key that encrypts the secrets in the database, the same on every machine; if not set, the file sealing.key',
  ),
  sandbox: setting('sandbox', 'required', oneOf(['required', 'none']), 'Whether compiles require a sandbox'),
  registrationLimits: setting(
    'registration.limits',
    'kernel',
    oneOf(['kernel', 'any']),
    'What must enforce the limits of builds before registration can be open; "any" also accepts a watcher process',
  ),
  areCoauthorsAllowed: setting(
    'registration.coauthors',
    'false',
    boolean,
    'Let users invite co-authors without an account by email, even while registration is closed',
  ),
  compileApiKey: {
    ...secret('compile.api_key', apiKey, 'Bearer key of POST /compile'),
    variable: 'COMPILE_API_KEY',
  },
  isCompileAnonymous: setting(
    'compile.anonymous',
    'false',
    boolean,
    'Allow POST /compile without a key on a public address and through a proxy',
  ),
  metrics: {
    isEnabled: setting(
      'metrics.enabled',
      'true',
      boolean,
      'Serve GET /metrics; without a key, only to direct requests from this machine',
    ),
    token: secret('metrics.token', apiKey, 'Bearer key of GET /metrics'),
  },
  build: {
    timeoutMs: setting('build.timeout', '60s', wait, 'Time limit of a build'),
    maxTimeoutMs: setting('build.max_timeout', '300s', wait, 'Highest time limit that a repository can set'),
    concurrency: setting('build.concurrency', String(availableParallelism()), count, 'Number of concurrent builds'),
    isLocal: setting(
      'build.local',
      'true',
      boolean,
      'Build on this machine; false leaves all builds to workers, and this machine needs no TeX',
    ),
    leaseMs: setting(
      'build.lease',
      '60s',
      wait,
      'Time without contact after which the build of a worker is given to another one',
    ),
    waitingEngines: setting(
      'build.waiting_engines',
      '4',
      countOrNone,
      'Maximum number of engines started in advance for builds, and the same number for POST /compile; 60 to 200 MB each',
    ),
    maxFiles: setting('build.max_files', '5000', count, 'Maximum number of files in a built repository'),
    maxBytes: setting('build.max_bytes', '500m', size, 'Maximum size of a built repository'),
  },
  isPreviewEnabled: setting(
    'preview.enabled',
    'true',
    boolean,
    'Compile drafts while users type, to show the PDF next to the source; builds of pushes always take precedence',
  ),
  retention: {
    buildsMs: setting(
      'build.keep_for',
      '365d',
      duration,
      'How long finished builds are kept, except the newest of every branch and tag',
    ),
    logsMs: setting('build.keep_logs_for', '90d', duration, 'How long unused logs and auxiliary files are kept'),
  },
  maxCacheBytes: setting(
    'cache.max_bytes',
    '10g',
    size,
    'Maximum disk space of PDFs, page images and logs; PDFs of tags and branch heads are kept even beyond it',
  ),
  maxPushBytes: setting('push.max_bytes', '1g', size, 'Maximum size of a push'),
  isPrivateImportAllowed: setting(
    'import.private_networks',
    'false',
    boolean,
    'Allow imports from servers in private networks',
  ),
  mirrorEveryMs: setting('mirrors.fetch_every', '1h', duration, 'How often mirrors are fetched from their sources'),
  webhooks: {
    isPrivateAllowed: setting(
      'webhooks.private_networks',
      'false',
      boolean,
      'Allow webhooks to servers in private networks; users see the responses of those servers',
    ),
    keepForMs: setting('webhooks.keep_for', '30d', duration, 'How long webhook deliveries are listed'),
  },
  limits: {
    anonymousPerMinute: setting(
      'limits.anonymous_per_minute',
      '300',
      count,
      'Expensive anonymous requests (search, archives, comparisons) per minute from one IP address',
    ),
    signedInPerMinute: setting(
      'limits.signed_in_per_minute',
      '3000',
      count,
      'Expensive requests per minute from one signed-in user',
    ),
  },
  quotas: {
    repositories: setting('quota.repositories', '1000', count, 'Repositories per user'),
    storageBytes: setting('quota.storage', '20g', size, 'Disk space of git repositories per user'),
    buildMinutes: setting('quota.build_minutes', '600', count, 'Build minutes per user in 24 hours'),
    concurrentPushes: setting(
      'quota.concurrent_pushes',
      '16',
      count,
      'Concurrent pushes per user, at most a quarter of the limit of the server; further pushes are queued',
    ),
  },
  isSignInRequired: setting(
    'require_sign_in',
    'false',
    boolean,
    'Require users to sign in to read anything, even public repositories; share links and invitations keep working',
  ),
  isPushToCreate: setting(
    'push_to_create',
    'false',
    boolean,
    'Create a private repository when its owner pushes to a missing one',
  ),
  smtp: {
    server: secret('smtp.url', smtpUrl, 'Mail server; if not set, the host sends no email'),
    from: setting('smtp.from', null, sender, 'From address of outgoing email'),
  },
  oidc: {
    issuer: setting('oidc.issuer', null, issuerUrl, 'OpenID Connect identity provider'),
    clientId: setting('oidc.client_id', null, clientText, 'Client id of this host at the identity provider'),
    clientSecret: secret('oidc.client_secret', clientText, 'Client secret of this host at the identity provider'),
    name: setting('oidc.name', null, line, 'Name of the identity provider on the sign-in page'),
    isJoinAllowed: setting('oidc.allow_join', 'false', boolean, 'Let users of the identity provider create accounts'),
  },
  backup: {
    everyMs: setting('backup.every', null, duration, 'Interval of automatic backups; if not set, there are none'),
    keep: setting('backup.keep', '7', count, 'Number of automatic backups to keep'),
    dir: setting('backup.dir', 'backups', directory, 'Directory of backups; use another disk'),
    isIncremental: setting(
      'backup.incremental',
      'false',
      boolean,
      'Make automatic backups as folders that share unchanged files',
    ),
  },
  log: {
    level: setting(
      'log.level',
      'info',
      oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace']),
      'Minimum log level',
    ),
    format: setting(
      'log.format',
      process.stderr.isTTY ? 'pretty' : 'json',
      oneOf(['json', 'pretty']),
      'Format of log lines',
    ),
  },
}

/** The values of a table of settings, in its shape. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value, infer Fallback>
    ? Value | (null extends Fallback ? null : never)
    : ValuesOf<Table[Name]>
}

/** Key of a setting: `build.timeout`. */
export type SettingKey = KeyOf<typeof settings>

type KeyOf<Table> =
  Table extends Setting<unknown, string | null, infer Key>
    ? Key
    : { [Name in keyof Table]: KeyOf<Table[Name]> }[keyof Table]

interface SettingTable {
  readonly [name: string]: Setting | SettingTable
}

/** Every setting, in the order of the table. */
export const allSettings: readonly Setting[] = flatten(settings)

/** The value of every setting, in the shape of the table. */
export function readSettings(read: (row: Setting) => unknown): ValuesOf<typeof settings> {
  return readTable(settings, read) as ValuesOf<typeof settings> // `read` parses each row with its own type
}

function readTable(table: SettingTable, read: (row: Setting) => unknown): unknown {
  return Object.fromEntries(
    Object.entries(table).map(([name, part]) => [name, isSetting(part) ? read(part) : readTable(part, read)]),
  )
}

function flatten(table: SettingTable): Setting[] {
  return Object.values(table).flatMap((part) => (isSetting(part) ? [part] : flatten(part)))
}

function isSetting(part: Setting | SettingTable): part is Setting {
  return typeof part['parse'] === 'function'
}

function setting<Value, const Fallback extends string | null, const Key extends string>(
  key: Key,
  fallback: Fallback,
  { parse, expects }: ValueType<Value>,
  description: string,
): Setting<Value, Fallback, Key> {
  const variable = `TEXPROOF_${key.replaceAll('.', '_').toUpperCase()}`
  return { key, variable, isSecret: false, fallback, parse, expects, description }
}

function secret<Value, const Key extends string>(
  key: Key,
  type: ValueType<Value>,
  description: string,
): Setting<Value, null, Key> {
  return { ...setting(key, null, type, description), isSecret: true }
}

function oneOf<const Name extends string>(names: readonly Name[]): ValueType<Name> {
  return {
    parse: (text) => names.find((name) => name === text) ?? null,
    expects: names.map((name) => `"${name}"`).join(', '),
  }
}
