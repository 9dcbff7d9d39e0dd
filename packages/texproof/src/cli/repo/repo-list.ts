import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { dataOption } from '../data-option.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface RepoListOptions {
  readonly data?: string
  readonly json?: true
}

const examples = `
Examples:
  $ texproof repo list
  $ texproof repo list --json | jq '.[] | select(.disabled)'`

/** `texproof repo list`: one repository per line. */
export function defineRepoList(repo: Command): void {
  repo
    .command('list')
    .description('list repositories')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(listRepositories)
}

async function listRepositories({ data, json }: RepoListOptions): Promise<void> {
  const { config } = readConfig({ data })
  const { items } = await withStore(config, (store) =>
    store.admin.listRepositories({ text: '', window: { offset: 0, limit: 1_000_000 } }),
  )
  if (json) {
    await printJson(
      items.map(({ repository, disabledReason, pushedAt }) => ({
        id: repository.id,
        full_name: `${repository.owner.login}/${repository.name}`,
        visibility: repository.visibility,
        archived: repository.isArchived,
        disabled: repository.isDisabled,
        disabled_reason: disabledReason,
        pushed_at: pushedAt === null ? null : new Date(pushedAt).toISOString(),
      })),
    )
    return
  }
  if (items.length === 0) say('No repositories')
  for (const { repository, disabledReason } of items) {
    const { owner, name, visibility, isArchived, isDisabled } = repository
    const marks = [
      visibility === 'private' ? 'private' : null,
      isArchived ? 'archived' : null,
      isDisabled ? `disabled: ${disabledReason ?? 'no reason given'}` : null,
    ].filter((mark) => mark !== null)
    await print(`${owner.login}/${name}${marks.length === 0 ? '' : `  (${marks.join(', ')})`}\n`)
  }
}
