import type { Command } from 'commander'

import { commandFor } from '../../config/command-line.ts'
import type { User } from '../../domain/types.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { noSuchUser } from '../no-such-user.ts'
import { print, printJson } from '../print.ts'
import { readHostConfig, warnOfUnknownAddress } from '../read-host-config.ts'
import { say } from '../say.ts'
import { withAccounts } from '../with-accounts.ts'
import type { AccountPlace } from './delete-user.ts'

interface UserOptions {
  readonly data?: string
  readonly json?: true
}

/** A subcommand that changes one user. */
interface UserChange {
  readonly name: string
  readonly description: string
  readonly run: (user: User, place: AccountPlace) => Promise<{ readonly message: string; readonly link?: string }>
}

const changes: readonly UserChange[] = [
  {
    name: 'disable',
    description: 'disable a user: end their sessions and reject their tokens',
    async run(user, { config, store }) {
      const { setUserDisabled } = await import('../../accounts/users/administer-user.ts')
      if ((await setUserDisabled(store, { user, isDisabled: true, actorId: null })) !== null)
        throw new CliError(`${user.login} is the last administrator`, {
          exitCode: exitCodes.failed,
          remedy: `Make another user an administrator first: ${commandFor(config.dataDir, 'user make-admin NAME')}`,
        })
      return { message: `Disabled ${user.login}: sessions ended, tokens rejected` }
    },
  },
  {
    name: 'enable',
    description: 'enable a disabled user',
    async run(user, { store }) {
      const { setUserDisabled } = await import('../../accounts/users/administer-user.ts')
      await setUserDisabled(store, { user, isDisabled: false, actorId: null })
      return { message: `Enabled ${user.login}` }
    },
  },
  {
    name: 'delete',
    description: 'delete a disabled user who owns no repositories',
    async run(user, place) {
      const { deleteUser } = await import('./delete-user.ts')
      await deleteUser(user, place)
      return { message: `Deleted ${user.login}` }
    },
  },
  {
    name: 'make-admin',
    description: 'make a user an administrator',
    async run(user, { store }) {
      const { makeAdministrator } = await import('../../accounts/users/administer-user.ts')
      await makeAdministrator(store, { user, actorId: null })
      return { message: `${user.login} is now an administrator` }
    },
  },
  {
    name: 'reset-link',
    description: 'create a password reset link, valid for 24 hours',
    async run(user, { config, store }) {
      const { makeResetCode } = await import('../../accounts/credentials/reset-password.ts')
      const code = await makeResetCode(store, { user, createdBy: null })
      return { message: '', link: `${config.baseUrl}/reset?code=${code}` }
    },
  },
  {
    name: 'reset-factor',
    description: 'turn off two-factor authentication and remove the passkeys of a user',
    async run(user, { store }) {
      const { resetFactors } = await import('../../accounts/second-factor/reset-factors.ts')
      const { hadSecondFactor, passkeys } = await resetFactors(store, { user, actorId: null })
      const lost = [
        ...(hadSecondFactor ? ['two-factor authentication turned off'] : []),
        ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'} removed`] : []),
      ]
      if (lost.length === 0) return { message: `${user.login} has neither two-factor authentication nor passkeys` }
      return { message: `${user.login} now signs in with the password alone: ${lost.join(', ')}` }
    },
  },
]

/** `texproof user disable|enable|delete|make-admin|reset-link|reset-factor NAME`. */
export function defineUserChanges(user: Command): void {
  for (const change of changes) {
    user
      .command(`${change.name} <name>`)
      .description(change.description)
      .addOption(dataOption())
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `\nExamples:\n  $ texproof user ${change.name} alice\n  $ texproof user ${change.name} bob --json`,
      )
      .exitOverride()
      .action((login: string, options: UserOptions) => changeUser(change, login, options))
  }
}

async function changeUser(change: UserChange, login: string, { data, json }: UserOptions): Promise<void> {
  const config = readHostConfig(data)
  const { message, link } = await withAccounts(config, async (store, mail) => {
    const user = await store.users.findByLogin(login)
    if (user === null) throw noSuchUser(login, config.dataDir)
    return change.run(user, { config, store, mail })
  })
  if (json) await printJson({ login, done: change.name, ...(link === undefined ? {} : { link }) })
  else if (link === undefined) say(message)
  else {
    warnOfUnknownAddress(config)
    await print(`${link}\n`)
  }
}
