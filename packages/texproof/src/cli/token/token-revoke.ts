import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print.ts'
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

/** `texproof token revoke ID`: the token opens nothing from now on, also on a running host. */
export function defineTokenRevoke(token: Command): void {
  token
    .command('revoke <id>')
    .description('end a token at once; its id stands in the list of tokens')
    .addOption(dataOption())
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(revokeTokenById)
}

async function revokeTokenById(text: string, { data, json }: TokenRevokeOptions): Promise<void> {
  const { config } = readConfig({ data })
  const { revokeToken } = await import('../../accounts/tokens/revoke-token.ts')
  const { login, name } = await withAccounts(config, async (store) => {
    const found = /^\d{1,15}$/.test(text) ? await store.tokens.findById(Number(text)) : null
    if (found === null)
      throw new CliError(`there is no token ${JSON.stringify(text)} in ${config.dataDir}`, {
        exitCode: exitCodes.usage,
        remedy: 'List them: texproof token list --user NAME',
      })
    const { token, user } = found
    await revokeToken(store, { user, tokenId: token.id, actorId: null, address: null })
    return { login: user.login, name: token.name }
  })
  if (json) await printJson({ id: Number(text), login, done: 'revoke' })
  else say(`Revoked "${name}" of ${login}: it opens nothing any more.`)
}
