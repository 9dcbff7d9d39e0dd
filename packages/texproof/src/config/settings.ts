import { availableParallelism } from 'node:os'

import { parseBaseUrl } from './parse-base-url.ts'
import { parseDuration } from './parse-duration.ts'
import { parseIssuer } from './parse-issuer.ts'
import { parseListen } from './parse-listen.ts'
import { parseSender } from './parse-sender.ts'
import { parseSize } from './parse-size.ts'
import { parseSmtpUrl } from './parse-smtp-url.ts'

// Every setting is a row: its key in texproof.toml, from which its variable follows (`build.timeout` is
// TEXPROOF_BUILD_TIMEOUT), how its text is read, and the text that stands when nobody sets it.

export interface Setting<Value> {
  readonly key: string
  /** Environment variable. A secret may also come from the file that `<variable>_FILE` names. */
  readonly variable: string
  readonly isSecret: boolean
  /** Text used when nothing sets it; null = the setting stays absent. */
  readonly fallback: string | null
  /** null = the text means nothing. */
  readonly parse: (text: string) => Value | null
  /** What the text must look like, for a person. */
  readonly expects: string
  readonly meaning: string
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** The settings of a host, in the order in which `texproof config show` prints them. */
export const settings = {
  listen: setting('listen', 'localhost:3000', parseListen, 'HOST:PORT, like 127.0.0.1:3000', 'where the host listens'),
  baseUrl: setting(
    'base_url',
    null,
    parseBaseUrl,
    'an address, like https://papers.example.org',
    'public address: every URL handed out starts with it',
  ),
  name: setting('name', null, parseLine, 'one line of at most 100 characters', 'what people call this host'),
  contact: setting(
    'contact',
    null,
    parseLine,
    'one line of at most 100 characters',
    'whom people write to about this host: a name, an address',
  ),
  sandbox: setting(
    'sandbox',
    'required',
    oneOf(['required', 'none']),
    '"required" or "none"',
    'confinement of every compile',
  ),
  registrationLimits: setting(
    'registration.limits',
    'kernel',
    oneOf(['kernel', 'any']),
    '"kernel" or "any"',
    'what must enforce the disk and memory limits of builds before strangers may register; "any" accepts the watcher',
  ),
  compileApiKey: {
    ...setting('compile.api_key', null, parseText, 'a key without spaces', 'bearer key of POST /compile'),
    variable: 'COMPILE_API_KEY',
    isSecret: true,
  },
  compileAnonymous: setting(
    'compile.anonymous',
    'false',
    parseBoolean,
    'true or false',
    'open POST /compile without a key on a public listener',
  ),
  metricsEnabled: setting(
    'metrics.enabled',
    'true',
    parseBoolean,
    'true or false',
    'answer GET /metrics; without a key, only to programs on this machine that no proxy stands before',
  ),
  metricsToken: {
    ...setting('metrics.token', null, parseText, 'a key without spaces', 'bearer key of GET /metrics, from anywhere'),
    isSecret: true,
  },
  buildTimeoutMs: setting(
    'build.timeout',
    '60s',
    parseDuration,
    'a time, like 60s or 5m',
    'wall-clock budget of one repository build',
  ),
  buildMaxTimeoutMs: setting(
    'build.max_timeout',
    '300s',
    parseDuration,
    'a time, like 300s or 10m',
    'the most that a repository may ask for one build',
  ),
  buildConcurrency: setting(
    'build.concurrency',
    String(availableParallelism()),
    parseCount,
    'a whole number from 1 on',
    'builds at once',
  ),
  buildMaxFiles: setting(
    'build.max_files',
    '5000',
    parseCount,
    'a whole number from 1 on',
    'files of a repository that is built',
  ),
  buildMaxBytes: setting(
    'build.max_bytes',
    '500m',
    parseSize,
    'a size, like 500m or 2g',
    'bytes of a repository that is built',
  ),
  buildKeepMs: setting(
    'build.keep_for',
    '365d',
    parseDuration,
    'a time, like 90d',
    'how long finished builds are listed; the newest of every branch and tag stay',
  ),
  buildKeepLogsMs: setting(
    'build.keep_logs_for',
    '90d',
    parseDuration,
    'a time, like 30d',
    'how long logs and other files of builds stay after they were last used',
  ),
  cacheMaxBytes: setting(
    'cache.max_bytes',
    '10g',
    parseSize,
    'a size, like 500m or 10g',
    'size of built PDFs, pictures and logs on disk; tags and branch heads are kept above it',
  ),
  pushMaxBytes: setting('push.max_bytes', '1g', parseSize, 'a size, like 500m or 2g', 'bytes of one push'),
  limitsAnonymous: setting(
    'limits.anonymous_per_minute',
    '300',
    parseCount,
    'a whole number from 1 on',
    'searches, archives, comparisons and other expensive requests per minute of one address without signing in',
  ),
  limitsSignedIn: setting(
    'limits.signed_in_per_minute',
    '3000',
    parseCount,
    'a whole number from 1 on',
    'the same requests per minute of one signed-in user',
  ),
  quotaRepositories: setting(
    'quota.repositories',
    '1000',
    parseCount,
    'a whole number from 1 on',
    'repositories of one user',
  ),
  quotaStorage: setting(
    'quota.storage',
    '20g',
    parseSize,
    'a size, like 500m or 20g',
    'disk space of the git repositories of one user',
  ),
  quotaBuildMinutes: setting(
    'quota.build_minutes',
    '600',
    parseCount,
    'a whole number from 1 on',
    'build minutes of the repositories of one user in 24 hours',
  ),
  quotaPushes: setting(
    'quota.concurrent_pushes',
    '16',
    parseCount,
    'a whole number from 1 on',
    'pushes of one user at a time; more wait for their turn',
  ),
  requireSignIn: setting(
    'require_sign_in',
    'false',
    parseBoolean,
    'true or false',
    'nothing is read without signing in, whatever is public; share links go on working',
  ),
  pushToCreate: setting(
    'push_to_create',
    'false',
    parseBoolean,
    'true or false',
    "a push to a missing repository of one's own makes it, private",
  ),
  smtpUrl: {
    ...setting(
      'smtp.url',
      null,
      parseSmtpUrl,
      'smtp://USER:PASSWORD@HOST:587, or smtps://… for TLS from the start',
      'the mail server; without one the host sends no letters',
    ),
    isSecret: true,
  },
  smtpFrom: setting(
    'smtp.from',
    null,
    parseSender,
    'one address, like Papers <papers@uni.example>',
    'who letters are from',
  ),
  oidcIssuer: setting(
    'oidc.issuer',
    null,
    parseIssuer,
    'the https address by which the issuer names itself',
    'OpenID Connect: who else may vouch for people',
  ),
  oidcClientId: setting('oidc.client_id', null, parseVisible, 'printable ASCII', 'what the issuer calls this host'),
  oidcClientSecret: {
    ...setting('oidc.client_secret', null, parseVisible, 'printable ASCII', 'what this host proves itself with'),
    isSecret: true,
  },
  oidcName: setting('oidc.name', null, parseLine, 'one line of at most 100 characters', 'what people call the issuer'),
  oidcAllowJoin: setting(
    'oidc.allow_join',
    'false',
    parseBoolean,
    'true or false',
    'whoever the issuer vouches for may make an account',
  ),
  backupEvery: setting(
    'backup.every',
    null,
    parseDuration,
    'a time, like 24h or 7d',
    'how often the running host makes a backup; without it, only you do',
  ),
  backupKeep: setting(
    'backup.keep',
    '7',
    parseCount,
    'a whole number from 1 on',
    'backups of the running host that stay, the newest ones',
  ),
  backupDir: setting(
    'backup.dir',
    'backups',
    parsePath,
    'a folder; a relative one is in the data directory',
    'where backups go: another disk survives this one',
  ),
  logLevel: setting('log.level', 'info', oneOf(logLevels), logLevels.join(', '), 'least grave line that is logged'),
  logFormat: setting(
    'log.format',
    process.stderr.isTTY ? 'pretty' : 'json',
    oneOf(['json', 'pretty']),
    '"json" or "pretty"',
    'form of log lines',
  ),
} as const

function setting<Value>(
  key: string,
  fallback: string | null,
  parse: (text: string) => Value | null,
  expects: string,
  meaning: string,
): Setting<Value> {
  const variable = `TEXPROOF_${key.replaceAll('.', '_').toUpperCase()}`
  return { key, variable, isSecret: false, fallback, parse, expects, meaning }
}

function oneOf<const Name extends string>(names: readonly Name[]): (text: string) => Name | null {
  return (text) => names.find((name) => name === text) ?? null
}

function parseCount(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

function parseBoolean(text: string): boolean | null {
  return text === 'true' ? true : text === 'false' ? false : null
}

/** Something to read. */
function parseLine(text: string): string | null {
  const line = text.trim()
  return line === '' || line.length > 100 || /\p{Cc}/u.test(line) ? null : line
}

/** What a file system takes for a name. */
function parsePath(text: string): string | null {
  return text.trim() === '' || /\p{Cc}/u.test(text) ? null : text
}

/** Visible ASCII, since it travels in a header. */
function parseText(text: string): string | null {
  return /^[\x21-\x7e]+$/.test(text) ? text : null
}

/** As RFC 6749 (appendix A) has it for what a client is called and proves itself with. */
function parseVisible(text: string): string | null {
  return /^[\x20-\x7e]+$/.test(text) ? text : null
}
