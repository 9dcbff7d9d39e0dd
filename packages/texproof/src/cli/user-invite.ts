import type { Command } from 'commander'

import { readConfig } from '../config.ts'
import { dataOption } from './data-option.ts'
import { print, printJson } from './print.ts'
import { withStore } from './with-store.ts'

interface UserInviteOptions {
  readonly data?: string
  readonly json?: true
}

const examples = `
Examples:
  $ texproof user invite
  $ texproof user invite alice@uni.example --json`

/** `texproof user invite`: prints a link that makes one account. */
export function defineUserInvite(user: Command): void {
  user
    .command('invite [note]')
    .description('print a link that makes one account, for seven days')
    .addOption(dataOption())
    .option('--json', 'print the link as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(inviteUser)
}

async function inviteUser(note: string | undefined, { data, json }: UserInviteOptions): Promise<void> {
  const { config } = readConfig({ data })
  const { makeInvite } = await import('../accounts/invite.ts')
  const code = await withStore(config.dataDir, (store) => makeInvite(store, { createdBy: null, email: note ?? null }))
  const link = `${config.baseUrl}/join?code=${code}`
  if (json) await printJson({ link })
  else await print(`${link}\n`)
}
