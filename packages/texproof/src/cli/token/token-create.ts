import type { Command } from 'commander'

import { parseDuration } from '../../config/parse-values.ts'
import { allScopes, parseScopes } from '../../domain/scopes.ts'
import type { Scope } from '../../domain/types.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { noSuchUser } from '../no-such-user.ts'
import { print, printJson } from '../print.ts'
import { readHostConfig } from '../read-host-config.ts'
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

/** A date beyond the year 275760 cannot be shown. */
const maxLifetimeMs = 36_500 * 86_400_000

const examples = `
Examples:
  $ texproof token create --user alice
  $ TOKEN=$(texproof token create --user ci --scopes none --expires none --name "nightly mirror")`

/** `texproof token create --user NAME`: prints a new access token on standard output. */
export function defineTokenCreate(token: Command): void {
  token
    .command('create')
    .description('create an access token')
    .requiredOption('--user <name>', 'owner of the token')
    .option(
      '--scopes <list>',
      `comma-separated scopes (${allScopes.join(', ')}), or none for read-only`,
      allScopes.join(','),
    )
    .option('--expires <time>', 'lifetime, e.g. 30d or 12h, or none', '30d')
    .option('--name <text>', 'name of the token', 'command line')
    .addOption(dataOption())
    .option('--json', 'print token, scopes and expiry as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(createTokenForUser)
}

async function createTokenForUser(options: TokenCreateOptions): Promise<void> {
  const config = readHostConfig(options.data)
  const scopes = readScopes(options.scopes)
  const expiresAt = readExpiry(options.expires)
  const { createToken } = await import('../../accounts/tokens/create-token.ts')
  const text = await withAccounts(config, async (store) => {
    const user = await store.users.findByLogin(options.user)
    if (user === null) throw noSuchUser(options.user, config.dataDir)
    const { text: made } = await createToken(store, { userId: user.id, name: options.name, scopes, expiresAt })
    await store.events.add({ kind: 'token-created', userId: user.id, actorId: null, detail: options.name })
    return made
  })
  if (options.json)
    return printJson({ token: text, scopes, expires_at: expiresAt === null ? null : new Date(expiresAt) })
  await print(`${text}\n`)
  const until =
    expiresAt === null ? 'It does not expire.' : `It expires on ${new Date(expiresAt).toISOString().slice(0, 10)}.`
  say(`Copy the token now: it is not shown again. ${until}`)
}

function readScopes(text: string): readonly Scope[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '' && word !== 'none')
  const scopes = parseScopes(text)
  if (scopes.length === new Set(words).size) return scopes
  const unknown = words.find((word) => !allScopes.some((scope) => scope === word)) ?? text
  throw new CliError(`unknown scope "${unknown}"`, {
    exitCode: exitCodes.usage,
    remedy: `Expected: ${allScopes.join(', ')}, or none for a read-only token.`,
  })
}

function readExpiry(text: string): number | null {
  if (text === 'none') return null
  const durationMs = parseDuration(text)
  if (durationMs !== null && durationMs <= maxLifetimeMs) return Date.now() + durationMs
  throw new CliError(`invalid lifetime "${text}"`, {
    exitCode: exitCodes.usage,
    remedy: 'Expected: --expires 30d, 12h, at most 36500d, or none.',
  })
}
