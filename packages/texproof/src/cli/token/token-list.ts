import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import type { Token } from '../../domain/types.ts'
import { dataOption } from '../data-option.ts'
import { noSuchUser } from '../no-such-user.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface TokenListOptions {
  readonly data?: string
  readonly user: string
  readonly json?: true
}

const examples = `
The last use of a token is recorded within a minute.

Examples:
  $ texproof token list --user alice
  $ texproof token list --user ci --json`

/** `texproof token list --user NAME`: the tokens of a user with their last use; the secrets are not stored. */
export function defineTokenList(token: Command): void {
  token
    .command('list')
    .description('list the tokens of a user')
    .requiredOption('--user <name>', 'owner of the tokens')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(listTokens)
}

async function listTokens({ data, user: login, json }: TokenListOptions): Promise<void> {
  const { config } = readConfig({ data })
  const tokens = await withStore(config, async (store) => {
    const user = await store.users.findByLogin(login)
    if (user === null) throw noSuchUser(login, config.dataDir)
    return store.tokens.listOfUser(user.id)
  })
  if (json) return printJson(tokens.map(presentToken))
  if (tokens.length === 0) say(`No tokens of ${login}`)
  for (const token of tokens) await print(`${describeToken(token)}\n`)
}

function describeToken(token: Token): string {
  const { id, name, scopes, expiresAt, lastUsedAt, lastUsedRoute } = token
  const end =
    expiresAt === null ? 'never expires' : `${expiresAt <= Date.now() ? 'expired' : 'expires'} ${day(expiresAt)}`
  const use =
    lastUsedAt === null
      ? 'never used'
      : `last used ${day(lastUsedAt)}${lastUsedRoute === null ? '' : ` ${lastUsedRoute}`}`
  return `${id}  ${name}  (${scopes.length === 0 ? 'read-only' : scopes.join(' ')}, ${end}, ${use})`
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function presentToken(token: Token) {
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: time(token.createdAt),
    expires_at: time(token.expiresAt),
    last_used_at: time(token.lastUsedAt),
    last_used_for: token.lastUsedRoute,
    last_refused_at: time(token.lastRefusedAt),
    last_refused_for: token.lastRefusedRoute,
  }
}
