import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Command } from 'commander'

import { parseRegistration, setRegistration } from '../accounts/join/registration.ts'
import type { Registration } from '../accounts/join/registration.ts'
import { readConfig } from '../config/read-config.ts'
import type { Store } from '../store/store.ts'
import { CliError } from './cli-error.ts'
import { dataOption } from './data-option.ts'
import { exitCodes } from './exit-codes.ts'
import { explainAddUserRefusal } from './explain-add-user-refusal.ts'
import { readSecret } from './read-secret.ts'
import { prepareDataDir } from './prepare-data-dir.ts'
import { say } from './say.ts'
import { withStore } from './with-store.ts'

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
Running it again changes only what differs: nothing is lost, and an existing texproof.toml stays as it is.

Examples:
  $ texproof init --admin alice
  $ texproof init --data /var/lib/texproof --admin alice --password-file alice.password --base-url https://papers.example.org
  $ texproof init --admin alice --registration open --registration-domains uni.example,lab.example`

/** `texproof init`: the set-up of a host as one line of a script. */
export function defineInit(program: Command): void {
  program
    .command('init')
    .description('make a data directory and its first administrator')
    .requiredOption('--admin <name>', 'administrator, made unless there is one of that name')
    .option('--email <address>', 'e-mail address of a new administrator')
    .option('--password-file <file>', 'file with the password; - is standard input')
    .addOption(dataOption())
    .option('--listen <host:port>', 'written to a new texproof.toml')
    .option('--base-url <url>', 'written to a new texproof.toml')
    .option('--registration <mode>', 'who may make an account: closed, invite or open (default: closed)')
    .option('--registration-domains <list>', 'with open: only e-mail addresses of these domains')
    .addHelpText('after', examples)
    .exitOverride()
    .action(runInit)
}

async function runInit(options: InitOptions): Promise<void> {
  const { config } = readConfig({ data: options.data, settings: { listen: options.listen, baseUrl: options.baseUrl } })
  const registration = readRegistration(options)
  const password = options.passwordFile === undefined ? null : await readSecret(options.passwordFile)
  await prepareDataDir(config.dataDir)
  await writeConfigFile(join(config.dataDir, 'texproof.toml'), options)
  await withStore(config.dataDir, async (store) => {
    await settleAdmin(store, options, { password, dataDir: config.dataDir })
    if (registration !== null) await settleRegistration(store, registration)
  })
  say(`Ready: texproof serve --data ${config.dataDir}`)
}

/** null = as it is. @throws CliError */
function readRegistration({ registration: mode, registrationDomains }: InitOptions): Registration | null {
  if (mode === undefined && registrationDomains === undefined) return null
  const isWithoutUse = registrationDomains !== undefined && mode !== 'open'
  const parsed = isWithoutUse ? null : parseRegistration(mode ?? '', registrationDomains ?? '')
  if (parsed !== null) return parsed
  throw new CliError('this rule for making accounts cannot be used', {
    exitCode: exitCodes.usage,
    remedy:
      'Write --registration closed, invite or open; with open also --registration-domains uni.example,lab.example.',
  })
}

async function settleRegistration(store: Store, registration: Registration): Promise<void> {
  await setRegistration(store, registration)
  const domains = registration.emailDomain === null ? '' : ` for addresses at ${registration.emailDomain}`
  say(`Registration is ${registration.mode === 'invite' ? 'by invitation' : registration.mode}${domains}.`)
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
    say(`Added the administrator ${outcome.user.login}.`)
    if (password === null)
      say(`A link to choose a password: texproof user reset-link ${outcome.user.login} --data ${dataDir}`)
    return
  }
  if (!present.isAdmin) await store.users.setAdmin(present.id, true)
  if (password !== null) {
    const { hashPassword } = await import('../accounts/password/hash-password.ts')
    await store.users.setPasswordHash(present.id, await hashPassword(password))
  }
  say(`${present.login} is an administrator${password === null ? '' : ' with the password given'}.`)
}

async function writeConfigFile(path: string, { listen, baseUrl }: InitOptions): Promise<void> {
  if (existsSync(path)) return
  const given = Object.entries({ listen, base_url: baseUrl }).filter(([, value]) => value !== undefined)
  const lines = given.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
  await writeFile(path, `# Settings of this host; \`texproof config show\` lists them all.\n${lines.join('')}`, {
    flag: 'wx',
  })
  say(`Wrote ${path}`)
}
