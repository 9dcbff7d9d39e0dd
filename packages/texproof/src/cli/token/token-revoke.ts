import type { Command } from 'commander'

import { commandFor } from '../../config/command-line.ts'
import { parseId } from '../../domain/parse-id.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print.ts'
import { readHostConfig } from '../read-host-config.ts'
import { say } from '../say.ts'
import { withAccounts } from '../with-accounts.ts'

interface TokenRevokeOptions {
  readonly data?: string
  readonly json?: true
}

const examples = `
Examples:
  $ texproof token revoke 12
  $ texproof token revoke 12 --json`

/** `texproof token revoke ID`: revokes a token, even on a running server. */
export function defineTokenRevoke(token: Command): void {
  token
    .command('revoke <id>')
    .description('revoke a token; `token list` prints the ids')
    .addOption(dataOption())
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(revokeTokenById)
}

async function revokeTokenById(text: string, { data, json }: TokenRevokeOptions): Promise<void> {
  const config = readHostConfig(data)
  const { revokeToken } = await import('../../accounts/tokens/revoke-token.ts')
  const { login, name } = await withAccounts(config, async (store) => {
    const id = parseId(text)
    const found = id === null ? null : await store.tokens.findById(id)
    if (found === null)
      throw new CliError(`token ${JSON.stringify(text)} not found in ${config.dataDir}`, {
        exitCode: exitCodes.usage,
        remedy: `List tokens: ${commandFor(config.dataDir, 'token list --user NAME')}`,
      })
    const { token, user } = found
    await revokeToken(store, { user, tokenId: token.id, actorId: null, address: null })
    return { login: user.login, name: token.name }
  })
  if (json) await printJson({ id: Number(text), login, done: 'revoke' })
  else say(`Revoked token "${name}" of ${login}`)
}
