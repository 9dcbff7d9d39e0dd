import { readFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'

import { closestName } from './closest-name.ts'
import { ConfigError } from './config-error.ts'
import type { SmtpServer } from './parse-values.ts'
import { readConfigFile } from './read-config-file.ts'
import type { FileSetting } from './read-config-file.ts'
import { allSettings, readSettings } from './settings.ts'
import type { Setting, SettingKey, settings, ValuesOf } from './settings.ts'

// The only reader of the environment. A setting is read from a flag, else from its variable, else from texproof.toml in
// the data directory, else from its default; the source is kept for `texproof config show`.

type Values = ValuesOf<typeof settings>

/** The configuration of a host: the values of the settings, and what follows from them. */
export interface Config extends Omit<Values, 'baseUrl' | 'name' | 'smtp' | 'oidc'> {
  /** Absolute path of the data directory. */
  readonly dataDir: string
  /** Public address, without a trailing slash. @default derived from `listen` */
  readonly baseUrl: string
  /** @default the host name of `baseUrl` */
  readonly name: string
  /** null = the host sends no email. */
  readonly smtp: SmtpConfig | null
  /** null = users sign in with passwords and passkeys only. */
  readonly oidc: OidcConfig | null
  /** Every setting with its source. */
  readonly origins: readonly ConfigLine[]
}

/** The mail server, and the From address. */
export interface SmtpConfig extends SmtpServer {
  /** @default the name of the host, `noreply` at its host name */
  readonly from: string
}

/** The OpenID Connect identity provider. */
export interface OidcConfig extends Omit<Values['oidc'], 'issuer' | 'clientId' | 'name'> {
  readonly issuer: string
  readonly clientId: string
  /** @default the host name of the issuer */
  readonly name: string
}

/** The data directory and settings from the command line, as typed. */
export interface ConfigFlags {
  readonly data?: string | undefined
  readonly settings?: Partial<Record<SettingKey, string | undefined>>
}

/** One setting as it is displayed, secrets masked. */
export interface ConfigLine {
  readonly key: string
  /** null = absent. */
  readonly value: string | null
  /** `flag`, the variable's name, the file's path and line, or `default`. */
  readonly source: string
  readonly description: string
}

export interface ReadConfig {
  readonly config: Config
  /** Warnings to print. */
  readonly notices: readonly string[]
}

/**
 * Reads flags, environment, file and defaults into one configuration. An empty data directory counts as unset: it would be
 * the current directory.
 *
 * @throws ConfigError when a setting is invalid or the file contains an unknown key.
 */
export function readConfig(flags: ConfigFlags, environment: NodeJS.ProcessEnv = process.env): ReadConfig {
  const dataDir = resolve(flags.data || environment['TEXPROOF_DATA_DIR'] || 'texproof-data')
  const filePath = resolve(dataDir, 'texproof.toml')
  const keys = allSettings.map(({ key }) => key)
  const sources: Sources = { flags: flags.settings ?? {}, environment, file: readConfigFile(filePath, keys), filePath }
  const description = 'Directory of all data of the host'
  const origins: ConfigLine[] = [
    { key: 'data_dir', value: dataDir, source: dataDirSource(flags, environment), description },
  ]
  const values = readSettings((row) => {
    const { text, source } = findText(row, sources)
    const displayed = text !== null && row.isSecret ? '(set)' : text
    origins.push({ key: row.key, value: displayed, source, description: row.description })
    const value = text === null ? null : row.parse(text)
    if (text === null || value !== null) return value
    const invalid = row.isSecret ? 'invalid value' : `invalid value "${text}"`
    const problem =
      source === 'flag' ? `${invalid} for --${row.key.replaceAll('_', '-')}` : `${source}: ${invalid} for ${row.key}`
    throw new ConfigError(problem, `Expected: ${row.expects}.`)
  })
  const baseUrl = values.baseUrl ?? deriveBaseUrl(values.listen)
  const { hostname } = new URL(baseUrl)
  const name = values.name ?? hostname
  const config: Config = {
    ...values,
    dataDir,
    baseUrl,
    name,
    smtp: completeSmtp(values.smtp, `${name.replaceAll(/[<>@,;"]/g, ' ')} <noreply@${hostname}>`),
    oidc: completeOidc(values.oidc),
    // Previews are compiled here, because their files are in no commit.
    isPreviewEnabled: values.isPreviewEnabled && values.build.isLocal,
    backup: { ...values.backup, dir: checkBackupDir(resolve(dataDir, values.backup.dir), dataDir) },
    origins: origins.map((line) =>
      line.key === 'base_url' && line.value === null
        ? { ...line, value: baseUrl, source: 'default, from listen' }
        : line,
    ),
  }
  return { config, notices: [...listContradictions(values, environment), ...listUnknownVariables(environment)] }
}

/** Directories of the data directory that the server writes and cleans, and that `restore --replace` moves aside. */
const ownDirectories: readonly string[] = ['before-upgrade', 'cache', 'repositories', 'tmp']

function checkBackupDir(dir: string, dataDir: string): string {
  const [first = ''] = relative(dataDir, dir).split(sep)
  if (!ownDirectories.includes(first)) return dir
  throw new ConfigError(
    `backup.dir is ${dir}, but the server uses ${resolve(dataDir, first)} itself`,
    'Choose another directory, preferably on another disk.',
  )
}

/** Warnings about settings that contradict each other. */
function listContradictions({ baseUrl, build, smtp }: Values, environment: NodeJS.ProcessEnv): readonly string[] {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== ''
  const twice = allSettings.filter(({ isSecret, variable }) => isSecret && isSet(variable) && isSet(`${variable}_FILE`))
  return [
    ...twice.map(({ variable }) => `${variable}_FILE is ignored, because ${variable} is also set`),
    ...(baseUrl !== null && new URL(baseUrl).pathname !== '/'
      ? ['base_url has a path: links on pages point outside of it, so only git and the API work']
      : []),
    ...(build.timeoutMs > build.maxTimeoutMs
      ? ['build.timeout is longer than build.max_timeout: repositories can only set shorter time limits']
      : []),
    ...(smtp.from !== null && smtp.server === null
      ? ['smtp.from is set, but smtp.url is not: this host sends no email']
      : []),
  ]
}

function completeSmtp({ server, from }: Values['smtp'], defaultFrom: string): SmtpConfig | null {
  return server === null ? null : { ...server, from: from ?? defaultFrom }
}

function completeOidc({ issuer, clientId, name, ...rest }: Values['oidc']): OidcConfig | null {
  if (issuer === null) return null
  if (clientId === null) throw new ConfigError('oidc.client_id is not set', 'The identity provider issued it.')
  return { ...rest, issuer, clientId, name: name ?? new URL(issuer).hostname }
}

/**
 * The URL of a listener on this machine. It keeps the host as typed, because clients reject links to another host than
 * the one they called. A listener on all interfaces becomes `localhost`.
 */
export function deriveBaseUrl({ host, port }: Config['listen']): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return port === 80 ? `http://${name}` : `http://${name}:${port}`
}

/** Whether only programs of this machine can reach a listener on `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/**
 * Whether a request under this name, of its `Host` header, was meant for this host: the configured one, or one that never
 * leaves the machine. Under any other name, a page of an attacker may read the answer, because it has bound its own name to
 * this address (DNS rebinding).
 */
export function isOwnName(hostname: string, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  // Names below localhost never leave the machine (RFC 6761).
  const isLocal = isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost')
  return isLocal || hostname === new URL(baseUrl).hostname
}

/** Whether `POST /compile` answers 401 to every caller: no key is configured, and other machines can connect. */
export function isCompileClosed({ compileApiKey, isCompileAnonymous, listen }: Config): boolean {
  return compileApiKey === null && !isCompileAnonymous && !isLoopback(listen.host)
}

interface Sources {
  readonly flags: Readonly<Record<string, string | undefined>>
  readonly environment: NodeJS.ProcessEnv
  readonly file: ReadonlyMap<string, FileSetting>
  readonly filePath: string
}

function findText(
  row: Setting,
  { flags, environment, file, filePath }: Sources,
): { text: string | null; source: string } {
  const flag = flags[row.key]
  if (flag !== undefined) return { text: flag, source: 'flag' }
  const variable = environment[row.variable]
  if (variable !== undefined && variable !== '') return { text: variable, source: row.variable }
  const secretFile = row.isSecret ? environment[`${row.variable}_FILE`] : undefined
  if (secretFile !== undefined && secretFile !== '')
    return { text: readSecret(secretFile, `${row.variable}_FILE`), source: `${row.variable}_FILE` }
  const inFile = file.get(row.key)
  if (inFile !== undefined) {
    const place = inFile.line === null ? filePath : `${filePath}:${inFile.line}`
    return { text: inFile.text, source: place }
  }
  return { text: row.fallback, source: 'default' }
}

function readSecret(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `cannot read the secret in ${path}: ${reason}`,
      `Set ${variable} to a file that this user can read.`,
    )
  }
}

function dataDirSource(flags: ConfigFlags, environment: NodeJS.ProcessEnv): string {
  if (flags.data) return 'flag'
  return environment['TEXPROOF_DATA_DIR'] ? 'TEXPROOF_DATA_DIR' : 'default'
}

/** An unknown variable is usually a typing error, but may belong to another tool: it only causes a warning. */
function listUnknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const secretFiles = allSettings.filter(({ isSecret }) => isSecret).map(({ variable }) => `${variable}_FILE`)
  const known = ['TEXPROOF_DATA_DIR', ...allSettings.map(({ variable }) => variable), ...secretFiles]
  const unknown = Object.keys(environment).filter((name) => name.startsWith('TEXPROOF_') && !known.includes(name))
  return unknown.map((name) => {
    const near = closestName(name, known)
    return `${name} is not a setting${near === null ? '' : `: did you mean ${near}?`}`
  })
}

/** The compile service set in the environment, for the command line; an empty variable counts as unset. */
export function readCompileService(environment: NodeJS.ProcessEnv = process.env): {
  readonly serviceUrl: string | null
  readonly apiKey: string | null
} {
  return { serviceUrl: environment['COMPILE_SERVICE_URL'] || null, apiKey: environment['COMPILE_API_KEY'] || null }
}
