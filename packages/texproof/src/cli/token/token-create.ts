import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { parseDuration } from '../../config/parse-duration.ts'
import { allScopes, parseScopes } from '../../domain/scopes.ts'
import type { Scope } from '../../domain/types.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withAccounts } from '../with-accounts.ts'

interface TokenCreateOptions {
  readonly data?: string
  readonly user: string
  readonly scopes: string
  readonly expires: string
  readonly name: string
  readonly json?: true
}

const examples = `
Examples:
  $ texproof token create --user alice
  $ TOKEN=$(texproof token create --user ci --scopes none --expires none --name "nightly mirror")`

/** `texproof token create --user NAME`: prints a new personal access token, alone, on standard output. */
export function defineTokenCreate(token: Command): void {
  token
    .command('create')
    .description('make a personal access token and print it')
    .requiredOption('--user <name>', 'whose token')
    .option('--scopes <list>', `comma-separated: ${allScopes.join(', ')}; or none = read only`, allScopes.join(','))
    .option('--expires <time>', 'a time like 30d or 12h, or none', '30d')
    .option('--name <text>', 'what it is for', 'command line')
    .addOption(dataOption())
    .option('--json', 'print token, scopes and expiry as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(createTokenForUser)
}

async function createTokenForUser(options: TokenCreateOptions): Promise<void> {
  const { config } = readConfig({ data: options.data })
  const scopes = readScopes(options.scopes)
  const expiresAt = readExpiry(options.expires)
  const { createToken } = await import('../../accounts/tokens/create-token.ts')
  const text = await withAccounts(config, async (store) => {
    const user = await store.users.findByLogin(options.user)
    if (user === null) {
      const remedy = `Make the account first: texproof user add ${options.user}`
      throw new CliError(`there is no user "${options.user}" in ${config.dataDir}`, {
        exitCode: exitCodes.usage,
        remedy,
      })
    }
    const { text: made } = await createToken(store, { userId: user.id, name: options.name, scopes, expiresAt })
    await store.events.add({ kind: 'token-created', userId: user.id, actorId: null, detail: options.name })
    return made
  })
  if (options.json)
    return printJson({ token: text, scopes, expires_at: expiresAt === null ? null : new Date(expiresAt) })
  await print(`${text}\n`)
  const until =
    expiresAt === null ? 'It never expires.' : `It expires on ${new Date(expiresAt).toISOString().slice(0, 10)}.`
  say(`Keep it: it is shown only this once. ${until}`)
}

function readScopes(text: string): readonly Scope[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '' && word !== 'none')
  const scopes = parseScopes(text)
  if (scopes.length === new Set(words).size) return scopes
  const unknown = words.find((word) => !allScopes.some((scope) => scope === word)) ?? text
  throw new CliError(`there is no scope "${unknown}"`, {
    exitCode: exitCodes.usage,
    remedy: `Scopes: ${allScopes.join(', ')}, or none for a token that only reads.`,
  })
}

function readExpiry(text: string): number | null {
  if (text === 'none') return null
  const durationMs = parseDuration(text)
  if (durationMs !== null) return Date.now() + durationMs
  throw new CliError(`"${text}" is no time`, { exitCode: exitCodes.usage, remedy: 'Write --expires 30d, 12h or none.' })
}
