import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { dataOption } from '../data-option.ts'
import { print, printJson } from '../print.ts'
import { withStore } from '../with-store.ts'

interface UserListOptions {
  readonly data?: string
  readonly json?: true
}

const examples = `
Examples:
  $ texproof user list
  $ texproof user list --json`

/** `texproof user list`: one user per line. */
export function defineUserList(user: Command): void {
  user
    .command('list')
    .description('list users')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(listUsers)
}

async function listUsers({ data, json }: UserListOptions): Promise<void> {
  const { config } = readConfig({ data })
  const users = await withStore(config, (store) => store.users.list({ text: '', limit: 100_000, offset: 0 }))
  if (json) {
    await printJson(
      users.map(({ id, login, isAdmin, isDisabled, createdAt }) => ({
        id,
        login,
        is_admin: isAdmin,
        is_disabled: isDisabled,
        created_at: new Date(createdAt).toISOString(),
      })),
    )
    return
  }
  for (const { login, isAdmin, isDisabled } of users) {
    const marks = [isAdmin ? 'administrator' : null, isDisabled ? 'disabled' : null].filter((mark) => mark !== null)
    await print(`${login}${marks.length === 0 ? '' : `  (${marks.join(', ')})`}\n`)
  }
}
