import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { noSuchUser } from '../no-such-user.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withAccounts } from '../with-accounts.ts'

interface UserOptions {
  readonly data?: string
  readonly json?: true
}

/** What can be done to one account: the command, what it says of itself, and the work. */
interface UserChange {
  readonly name: string
  readonly description: string
  readonly run: (
    user: User,
    store: Store,
    baseUrl: string,
  ) => Promise<{ readonly words: string; readonly link?: string }>
}

const changes: readonly UserChange[] = [
  {
    name: 'disable',
    description: 'end an account: its sessions and tokens open nothing from now on',
    async run(user, store) {
      const { setUserDisabled } = await import('../../accounts/users/administer-user.ts')
      if ((await setUserDisabled(store, { user, isDisabled: true, actorId: null })) !== null)
        throw new CliError(`${user.login} is the last administrator`, {
          exitCode: exitCodes.failed,
          remedy: 'Make another one first: texproof user make-admin NAME',
        })
      return { words: `Disabled ${user.login}: every session is ended, every token refused.` }
    },
  },
  {
    name: 'enable',
    description: 'let a disabled account in again',
    async run(user, store) {
      const { setUserDisabled } = await import('../../accounts/users/administer-user.ts')
      await setUserDisabled(store, { user, isDisabled: false, actorId: null })
      return { words: `Enabled ${user.login}.` }
    },
  },
  {
    name: 'make-admin',
    description: 'let an account administer the host',
    async run(user, store) {
      const { makeAdministrator } = await import('../../accounts/users/administer-user.ts')
      await makeAdministrator(store, { user, actorId: null })
      return { words: `${user.login} is an administrator.` }
    },
  },
  {
    name: 'reset-link',
    description: 'print a link that sets a new password, for a day',
    async run(user, store, baseUrl) {
      const { makeResetCode } = await import('../../accounts/credentials/reset-password.ts')
      const code = await makeResetCode(store, { user, createdBy: null })
      return { words: '', link: `${baseUrl}/reset?code=${code}` }
    },
  },
  {
    name: 'reset-factor',
    description: 'take two-factor and passkeys away from an account whose owner has lost the devices',
    async run(user, store) {
      const { resetFactors } = await import('../../accounts/second-factor/reset-factors.ts')
      const { hadSecondFactor, passkeys } = await resetFactors(store, { user, actorId: null })
      const lost = [
        ...(hadSecondFactor ? ['two-factor is off'] : []),
        ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey is' : 'passkeys are'} removed`] : []),
      ]
      if (lost.length === 0) return { words: `${user.login} had neither two-factor nor a passkey.` }
      return { words: `${user.login} signs in with the password alone: ${lost.join(', ')}.` }
    },
  },
]

/** `texproof user disable|enable|make-admin|reset-link|reset-factor NAME`. */
export function defineUserChanges(user: Command): void {
  for (const change of changes) {
    user
      .command(`${change.name} <name>`)
      .description(change.description)
      .addOption(dataOption())
      .option('--json', 'print the outcome as JSON')
      .addHelpText(
        'after',
        `\nExamples:\n  $ texproof user ${change.name} alice\n  $ texproof user ${change.name} bob --json`,
      )
      .exitOverride()
      .action((login: string, options: UserOptions) => changeUser(change, login, options))
  }
}

async function changeUser(change: UserChange, login: string, { data, json }: UserOptions): Promise<void> {
  const { config } = readConfig({ data })
  const { words, link } = await withAccounts(config, async (store) => {
    const user = await store.users.findByLogin(login)
    if (user === null) throw noSuchUser(login, config.dataDir)
    return change.run(user, store, config.baseUrl)
  })
  if (json) await printJson({ login, done: change.name, ...(link === undefined ? {} : { link }) })
  else if (link === undefined) say(words)
  else await print(`${link}\n`)
}
