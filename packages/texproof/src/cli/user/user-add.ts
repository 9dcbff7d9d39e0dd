import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { dataOption } from '../data-option.ts'
import { explainAddUserRefusal } from '../explain-add-user-refusal.ts'
import { printJson } from '../print.ts'
import { readSecret } from '../read-secret.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface UserAddOptions {
  readonly data?: string
  readonly email?: string
  readonly name?: string
  readonly admin?: true
  readonly passwordStdin?: true
  readonly json?: true
}

const examples = `
Examples:
  $ texproof user add alice --email alice@example.org
  $ texproof user add bob --admin --password-stdin < bob.password`

/** `texproof user add NAME`: creates a user. Without a password, only tokens work. */
export function defineUserAdd(user: Command): void {
  user
    .command('add <name>')
    .description('create a user')
    .addOption(dataOption())
    .option('--email <address>', 'email address (never shown to other users)')
    .option('--name <text>', 'display name')
    .option('--admin', 'make the user an administrator')
    .option('--password-stdin', 'read the password from standard input')
    .option('--json', 'print the user as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(addUserByName)
}

async function addUserByName(login: string, options: UserAddOptions): Promise<void> {
  const { config } = readConfig({ data: options.data })
  const password = options.passwordStdin ? await readSecret('-') : null
  const { addUser } = await import('../../accounts/users/add-user.ts')
  const outcome = await withStore(config, async (store) => {
    const added = await addUser(store, {
      login,
      password,
      name: options.name ?? null,
      email: options.email ?? null,
      isAdmin: options.admin ?? false,
    })
    if (added.kind === 'added') await store.events.add({ kind: 'user-added', userId: added.user.id, actorId: null })
    return added
  })
  if (outcome.kind === 'refused') throw explainAddUserRefusal(login, outcome.reason)
  const { user } = outcome
  if (options.json) await printJson({ id: user.id, login: user.login, is_admin: user.isAdmin })
  else say(`Created ${user.isAdmin ? 'administrator' : 'user'} ${user.login}`)
}
