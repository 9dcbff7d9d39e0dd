import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Command } from 'commander'

import { parseRegistration, setRegistration } from '../accounts/join/registration.ts'
import type { Registration } from '../accounts/join/registration.ts'
import { commandFor } from '../config/command-line.ts'
import { readConfig } from '../config/read-config.ts'
import type { User } from '../domain/types.ts'
import { findDataDirHolder, isServed } from '../store/sqlite/data-dir-lock.ts'
import type { Store } from '../store/store.ts'
import { CliError } from './cli-error.ts'
import { dataOption } from './data-option.ts'
import { exitCodes } from './exit-codes.ts'
import { explainAddUserRefusal } from './explain-add-user-refusal.ts'
import { readSecret } from './read-secret.ts'
import { createDataDir } from './data-dir.ts'
import { say } from './say.ts'
import { withNewAccounts } from './with-accounts.ts'

interface InitOptions {
  readonly data?: string
  readonly admin: string
  readonly email?: string
  readonly passwordFile?: string
  readonly listen?: string
  readonly baseUrl?: string
  readonly registration?: string
  readonly registrationDomains?: string
}

const examples = `
init can be run again: it updates the administrator and the registration, and keeps an existing texproof.toml.

Examples:
  $ texproof init --admin alice
  $ texproof init --data /var/lib/texproof --admin alice --password-file alice.password --base-url https://papers.example.org
  $ texproof init --admin alice --registration open --registration-domains uni.example,lab.example`

/** `texproof init`: sets up a host from a script. */
export function defineInit(program: Command): void {
  program
    .command('init')
    .description('create a data directory and its first administrator')
    .requiredOption('--admin <name>', 'username of the administrator, created if missing')
    .option('--email <address>', 'email address of a new administrator')
    .option('--password-file <file>', 'file with the password (- for standard input)')
    .addOption(dataOption())
    .option('--listen <host:port>', 'written to a new texproof.toml')
    .option('--base-url <url>', 'written to a new texproof.toml')
    .option('--registration <mode>', 'who can create an account: closed, invite or open (default: closed)')
    .option('--registration-domains <list>', 'with open: only email addresses of these domains')
    .addHelpText('after', examples)
    .exitOverride()
    .action(runInit)
}

async function runInit(options: InitOptions): Promise<void> {
  const { config } = readConfig({ data: options.data, settings: { listen: options.listen, base_url: options.baseUrl } })
  const registration = readRegistration(options)
  const password = options.passwordFile === undefined ? null : await readSecret(options.passwordFile)
  const { findInvalidDetails } = await import('../accounts/users/add-user.ts')
  const [invalid] = findInvalidDetails({ login: options.admin, email: options.email ?? null, password })
  if (invalid !== undefined) throw explainAddUserRefusal(options.admin, invalid)
  const configPath = join(config.dataDir, 'texproof.toml')
  // Read first: an invalid setting must not stop the command halfway.
  const ignored = existsSync(configPath) ? listIgnored(options, configPath) : []
  await createDataDir(config)
  await withNewAccounts(config, async (store) => {
    await settleAdmin(store, options, { password, dataDir: config.dataDir })
    if (registration !== null) await settleRegistration(store, registration)
  })
  for (const warning of ignored) say(warning)
  const isNew = !existsSync(configPath)
  if (isNew) await writeConfigFile(configPath, options)
  const server = isServed(config.dataDir) ? findDataDirHolder(config.dataDir) : null
  if (server === null) say(`Start the server: ${commandFor(config.dataDir, 'serve')}`)
  else if (isNew && givenSettings(options).length > 0) say(`Restart the server to apply ${configPath}`)
  else say(`The server is already running: ${server.url}`)
}

/** null = unchanged. @throws CliError */
function readRegistration({ registration: mode, registrationDomains }: InitOptions): Registration | null {
  if (mode === undefined && registrationDomains === undefined) return null
  const isWithoutUse = registrationDomains !== undefined && mode !== 'open'
  const parsed = isWithoutUse ? null : parseRegistration(mode ?? '', registrationDomains ?? '')
  if (parsed !== null) return parsed
  throw new CliError('invalid registration rule', {
    exitCode: exitCodes.usage,
    remedy:
      'Expected: --registration closed, invite or open; with open, optionally --registration-domains uni.example,lab.example.',
  })
}

async function settleRegistration(store: Store, registration: Registration): Promise<void> {
  await setRegistration(store, registration)
  const domains = registration.emailDomain === null ? '' : `, email addresses at ${registration.emailDomain} only`
  say(`Registration: ${registration.mode === 'invite' ? 'by invitation' : registration.mode}${domains}`)
}

async function settleAdmin(
  store: Store,
  { admin, email }: InitOptions,
  { password, dataDir }: { readonly password: string | null; readonly dataDir: string },
): Promise<void> {
  const present = await store.users.findByLogin(admin)
  if (present === null) {
    const { addUser } = await import('../accounts/users/add-user.ts')
    const outcome = await addUser(store, { login: admin, email: email ?? null, password, isAdmin: true })
    if (outcome.kind === 'refused') throw explainAddUserRefusal(admin, outcome.reason)
    say(`Created administrator ${outcome.user.login}`)
    if (password === null)
      say(`Create a link to set the password: ${commandFor(dataDir, `user reset-link ${outcome.user.login}`)}`)
    return
  }
  if (!present.isAdmin) {
    const { makeAdministrator } = await import('../accounts/users/administer-user.ts')
    await makeAdministrator(store, { user: present, actorId: null })
  }
  const isChanged = password !== null && (await changePassword(store, present, password))
  say(`${present.login} is an administrator${isChanged ? '; password changed, sessions ended' : ''}`)
  if (email !== undefined && email !== present.email)
    say(`! Ignored --email: ${present.login} already exists. Users change their email address in their settings.`)
}

/** False if the user has this password already. */
async function changePassword(store: Store, user: User, password: string): Promise<boolean> {
  const [{ replacePassword }, { hashPassword, verifyPassword }] = await Promise.all([
    import('../accounts/credentials/reset-password.ts'),
    import('../accounts/password/hash-password.ts'),
  ])
  const current = await store.users.findWithPassword(user.login)
  if (current !== null && (await verifyPassword(password, current.passwordHash))) return false
  await replacePassword(store, { user, passwordHash: await hashPassword(password), actorId: null })
  return true
}

/** Warnings about options that differ from the settings of an existing host. */
function listIgnored({ data, ...options }: InitOptions, path: string): readonly string[] {
  const { origins } = readConfig({ data }).config
  return givenSettings(options).flatMap(([key, value]) => {
    const line = origins.find((each) => each.key === key)
    if (line === undefined || line.value === value) return []
    const remedy = line.source.startsWith('default') ? `Set ${key} in ${path}.` : 'Change it there.'
    return [`! Ignored --${key.replace('_', '-')}: this host uses ${line.value} (${line.source}). ${remedy}`]
  })
}

function givenSettings({ listen, baseUrl }: Pick<InitOptions, 'listen' | 'baseUrl'>): readonly [string, string][] {
  return Object.entries({ listen, base_url: baseUrl }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  )
}

async function writeConfigFile(path: string, options: InitOptions): Promise<void> {
  const lines = givenSettings(options).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
  await writeFile(
    path,
    `# Settings of this host. List them: ${commandFor(dirname(path), 'config show')}\n${lines.join('')}`,
    {
      flag: 'wx',
    },
  )
  say(`Wrote ${path}`)
}
