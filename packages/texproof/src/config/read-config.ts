import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { closestName } from './closest-name.ts'
import { ConfigError } from './config-error.ts'
import type { SmtpServer } from './parse-smtp-url.ts'
import { readConfigFile } from './read-config-file.ts'
import type { FileSetting } from './read-config-file.ts'
import { settings } from './settings.ts'
import type { Setting } from './settings.ts'
import type { Quotas } from '../domain/quotas.ts'

// The only reader of the environment. A setting is looked for as a flag, then as a variable, then in texproof.toml
// of the data directory, then in the table of defaults; where it was found is kept, for `texproof config show`.

/** The whole configuration of a running host. Read once, here and nowhere else. */
export interface Config {
  /** Absolute path of the one folder that holds everything. */
  readonly dataDir: string
  readonly listen: { readonly host: string; readonly port: number }
  /** Public address without a trailing slash: every URL we hand out starts with it. */
  readonly baseUrl: string
  /** Bearer key of `POST /compile`; null = none asked. */
  readonly compileApiKey: string | null
  /** Whether `POST /compile` is open although no key is set and others can reach the listener. */
  readonly isCompileAnonymous: boolean
  readonly metrics: MetricsConfig
  /** `none` only by the explicit `--unsafe-no-sandbox`. */
  readonly sandbox: 'required' | 'none'
  /** What must enforce the limits of builds before strangers may register. */
  readonly registrationLimits: 'kernel' | 'any'
  readonly build: {
    /** Wall-clock budget of one repository build, all passes. */
    readonly timeoutMs: number
    /** The most that a repository may ask for. */
    readonly maxTimeoutMs: number
    /** Builds at once. */
    readonly concurrency: number
    readonly maxFiles: number
    readonly maxBytes: number
  }
  /** Bytes of the cache of built things, beyond which the oldest go. */
  readonly maxCacheBytes: number
  /** How long what builds leave behind is kept. */
  readonly retention: {
    /** Finished builds with their PDFs, but for the newest of every branch and tag. */
    readonly buildsMs: number
    /** Logs, aux files and SyncTeX data since they were last used. */
    readonly logsMs: number
  }
  /** Bytes of one push accepted at most. */
  readonly maxPushBytes: number
  /** Expensive requests per minute: of one address, and of one signed-in user. */
  readonly limits: { readonly anonymousPerMinute: number; readonly signedInPerMinute: number }
  /** What each user may use, unless an administrator has set another limit for them. */
  readonly quotas: Quotas
  /** What people call this host. @default the host name of `baseUrl` */
  readonly name: string
  /** Whom people write to about it, in words of its administrator; null = nobody said. */
  readonly contact: string | null
  /** Whether nobody reads anything here without signing in, whatever is public. */
  readonly isSignInRequired: boolean
  /** Whether a push to a missing repository of one's own makes it. */
  readonly isPushToCreate: boolean
  /** Who takes letters; null = this host sends none. */
  readonly smtp: SmtpConfig | null
  /** Who else vouches for people; null = nobody does. */
  readonly oidc: OidcConfig | null
  readonly backup: BackupConfig
  readonly log: { readonly level: string; readonly format: 'json' | 'pretty' }
  /** Every setting with where it came from, for people. */
  readonly origins: readonly ConfigLine[]
}

/** Who is told how busy the host is. */
export interface MetricsConfig {
  readonly isEnabled: boolean
  /** Bearer key; null = the key of `POST /compile`, or none where that has none either. */
  readonly token: string | null
}

/** When backups are made, and where they go. */
export interface BackupConfig {
  /** null = the host makes none by itself. */
  readonly everyMs: number | null
  /** Backups of the host that stay. */
  readonly keep: number
  /** Absolute path of a folder. */
  readonly dir: string
}

/** The mail server, and who letters are from. */
export interface SmtpConfig extends SmtpServer {
  /** As it stands in a letter. @default the name of the host, at `noreply` */
  readonly from: string
}

/** An issuer of OpenID Connect that people may sign in by. */
export interface OidcConfig {
  readonly issuer: string
  readonly clientId: string
  /** null = a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | null
  /** What people call the issuer. @default its host name */
  readonly name: string
  /** Whether whoever it vouches for may make an account. */
  readonly isJoinAllowed: boolean
}

export type SettingName = keyof typeof settings

/** What the command line said: the data directory and settings, as typed. */
export interface ConfigFlags {
  readonly data?: string | undefined
  readonly settings?: Partial<Record<SettingName, string | undefined>>
}

/** One setting as a person is shown it. Secrets are masked. */
export interface ConfigLine {
  readonly key: string
  /** null = absent. */
  readonly value: string | null
  /** `flag`, the variable's name, the file's path and line, or `default`. */
  readonly source: string
  readonly meaning: string
}

export interface ReadConfig {
  readonly config: Config
  /** Things that are odd but stop nothing, for a person. */
  readonly notices: readonly string[]
}

/**
 * Reads flags, environment, file and defaults into one configuration.
 *
 * @throws ConfigError when a setting cannot be used or the file holds a key that does not exist.
 */
export function readConfig(flags: ConfigFlags, environment: NodeJS.ProcessEnv = process.env): ReadConfig {
  const dataDir = resolve(flags.data ?? environment['TEXPROOF_DATA_DIR'] ?? 'texproof-data')
  const filePath = resolve(dataDir, 'texproof.toml')
  const rows = Object.values(settings)
  const file = readConfigFile(
    filePath,
    rows.map((row) => row.key),
  )
  const lines: ConfigLine[] = [
    { key: 'data_dir', value: dataDir, source: dataDirSource(flags, environment), meaning: 'everything lives here' },
  ]

  const read = <Value>(name: SettingName, row: Setting<Value>): Value | null => {
    const found = findText(row, { flag: flags.settings?.[name], environment, file, filePath })
    lines.push({
      key: row.key,
      value: found.text !== null && row.isSecret ? '(set)' : found.text,
      source: found.source,
      meaning: row.meaning,
    })
    if (found.text === null) return null
    const value = row.parse(found.text)
    if (value !== null) return value
    const shown = row.isSecret ? 'its value' : `"${found.text}"`
    throw new ConfigError(`${found.source}: ${row.key} cannot be ${shown}`, `Expected: ${row.expects}.`)
  }
  const needed = <Value>(name: SettingName, row: Setting<Value>): Value => {
    const value = read(name, row)
    if (value === null) throw new ConfigError(`${row.key} is not set`, `Expected: ${row.expects}.`)
    return value
  }

  const readSmtp = (name: string, host: string): SmtpConfig | null => {
    const [server, from] = [read('smtpUrl', settings.smtpUrl), read('smtpFrom', settings.smtpFrom)]
    return server === null
      ? null
      : { ...server, from: from ?? `${name.replaceAll(/[<>@,;"]/g, ' ')} <noreply@${host}>` }
  }
  const readOidc = (): OidcConfig | null => {
    const issuer = read('oidcIssuer', settings.oidcIssuer)
    const [clientId, clientSecret, name, isJoinAllowed] = [
      read('oidcClientId', settings.oidcClientId),
      read('oidcClientSecret', settings.oidcClientSecret),
      read('oidcName', settings.oidcName),
      needed('oidcAllowJoin', settings.oidcAllowJoin),
    ]
    if (issuer === null) return null
    if (clientId === null) throw new ConfigError('oidc.client_id is not set', 'The issuer gave you one for this host.')
    return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname, isJoinAllowed }
  }

  const listen = needed('listen', settings.listen)
  const baseUrl = read('baseUrl', settings.baseUrl) ?? deriveBaseUrl(listen)
  const { hostname } = new URL(baseUrl)
  const name = read('name', settings.name) ?? hostname
  const config: Config = {
    dataDir,
    listen,
    baseUrl,
    name,
    contact: read('contact', settings.contact),
    sandbox: needed('sandbox', settings.sandbox),
    registrationLimits: needed('registrationLimits', settings.registrationLimits),
    compileApiKey: read('compileApiKey', settings.compileApiKey),
    isCompileAnonymous: needed('compileAnonymous', settings.compileAnonymous),
    metrics: {
      isEnabled: needed('metricsEnabled', settings.metricsEnabled),
      token: read('metricsToken', settings.metricsToken),
    },
    build: {
      timeoutMs: needed('buildTimeoutMs', settings.buildTimeoutMs),
      maxTimeoutMs: needed('buildMaxTimeoutMs', settings.buildMaxTimeoutMs),
      concurrency: needed('buildConcurrency', settings.buildConcurrency),
      maxFiles: needed('buildMaxFiles', settings.buildMaxFiles),
      maxBytes: needed('buildMaxBytes', settings.buildMaxBytes),
    },
    retention: {
      buildsMs: needed('buildKeepMs', settings.buildKeepMs),
      logsMs: needed('buildKeepLogsMs', settings.buildKeepLogsMs),
    },
    maxCacheBytes: needed('cacheMaxBytes', settings.cacheMaxBytes),
    maxPushBytes: needed('pushMaxBytes', settings.pushMaxBytes),
    limits: {
      anonymousPerMinute: needed('limitsAnonymous', settings.limitsAnonymous),
      signedInPerMinute: needed('limitsSignedIn', settings.limitsSignedIn),
    },
    quotas: {
      repositories: needed('quotaRepositories', settings.quotaRepositories),
      storageBytes: needed('quotaStorage', settings.quotaStorage),
      buildMinutes: needed('quotaBuildMinutes', settings.quotaBuildMinutes),
      concurrentPushes: needed('quotaPushes', settings.quotaPushes),
    },
    isSignInRequired: needed('requireSignIn', settings.requireSignIn),
    isPushToCreate: needed('pushToCreate', settings.pushToCreate),
    smtp: readSmtp(name, hostname),
    oidc: readOidc(),
    backup: {
      everyMs: read('backupEvery', settings.backupEvery),
      keep: needed('backupKeep', settings.backupKeep),
      dir: resolve(dataDir, needed('backupDir', settings.backupDir)),
    },
    log: { level: needed('logLevel', settings.logLevel), format: needed('logFormat', settings.logFormat) },
    origins: lines.map((line) => (line.key === 'base_url' && line.value === null ? derivedFrom(line, listen) : line)),
  }
  return { config, notices: listUnknownVariables(environment) }
}

/**
 * The address that works on this machine: the host as it was typed, since clients insist that the addresses they are
 * given start with the one they asked. A listener on every interface is named `localhost` here.
 */
export function deriveBaseUrl({ host, port }: Config['listen']): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return port === 80 ? `http://${name}` : `http://${name}:${port}`
}

/** True when only programs of this machine can reach a listener on `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function derivedFrom(line: ConfigLine, listen: Config['listen']): ConfigLine {
  return { ...line, value: deriveBaseUrl(listen), source: 'default, from listen' }
}

interface Places {
  readonly flag: string | undefined
  readonly environment: NodeJS.ProcessEnv
  readonly file: ReadonlyMap<string, FileSetting>
  readonly filePath: string
}

function findText(
  row: Setting<unknown>,
  { flag, environment, file, filePath }: Places,
): { text: string | null; source: string } {
  if (flag !== undefined) return { text: flag, source: 'flag' }
  const variable = environment[row.variable]
  if (variable !== undefined && variable !== '') return { text: variable, source: row.variable }
  const secretFile = row.isSecret ? environment[`${row.variable}_FILE`] : undefined
  if (secretFile !== undefined && secretFile !== '')
    return { text: readSecret(secretFile), source: `${row.variable}_FILE` }
  const inFile = file.get(row.key)
  if (inFile !== undefined) {
    const place = inFile.line === null ? filePath : `${filePath}:${inFile.line}`
    return { text: inFile.text, source: place }
  }
  return { text: row.fallback, source: 'default' }
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(
      `the secret in ${path} cannot be read`,
      error instanceof Error ? error.message : String(error),
    )
  }
}

function dataDirSource(flags: ConfigFlags, environment: NodeJS.ProcessEnv): string {
  if (flags.data !== undefined) return 'flag'
  return environment['TEXPROOF_DATA_DIR'] === undefined ? 'default' : 'TEXPROOF_DATA_DIR'
}

/** A variable that nobody reads is more often a slip than a plan; it may also belong to another tool, so it stops nothing. */
function listUnknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const rows = Object.values(settings)
  const secretFiles = rows.filter(({ isSecret }) => isSecret).map(({ variable }) => `${variable}_FILE`)
  const known = ['TEXPROOF_DATA_DIR', ...rows.map(({ variable }) => variable), ...secretFiles]
  const unknown = Object.keys(environment).filter((name) => name.startsWith('TEXPROOF_') && !known.includes(name))
  return unknown.map((name) => {
    const near = closestName(name, known)
    return `${name} is not a setting${near === null ? '' : `: did you mean ${near}?`}`
  })
}

/** The compile service that the environment names, for the command line; an empty variable counts as unset. */
export function readCompileService(environment: NodeJS.ProcessEnv = process.env): {
  readonly serviceUrl: string | null
  readonly apiKey: string | null
} {
  return { serviceUrl: environment['COMPILE_SERVICE_URL'] || null, apiKey: environment['COMPILE_API_KEY'] || null }
}
