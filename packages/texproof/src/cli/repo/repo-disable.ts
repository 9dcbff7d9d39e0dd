import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import type { Repository } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface RepoOptions {
  readonly data?: string
  readonly json?: true
}

const disableExamples = `
Examples:
  $ texproof repo disable alice/tides --reason "Holds a book of somebody else; write to papers@example.org."
  $ texproof repo disable alice/tides --reason "Under review" --json`

const enableExamples = `
Examples:
  $ texproof repo enable alice/tides
  $ texproof repo enable alice/tides --json`

/** `texproof repo disable|enable OWNER/NAME`: takes a repository off the host without losing it, and gives it back. */
export function defineRepoDisable(repo: Command): void {
  repo
    .command('disable <owner/name>')
    .description('close a repository to everybody but its owner; a running host obeys at once')
    .requiredOption('--reason <words>', 'what its owner reads above it')
    .addOption(dataOption())
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', disableExamples)
    .exitOverride()
    .action(disable)
  repo
    .command('enable <owner/name>')
    .description('open a disabled repository again')
    .addOption(dataOption())
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', enableExamples)
    .exitOverride()
    .action(enable)
}

async function disable(fullName: string, options: RepoOptions & { readonly reason: string }): Promise<void> {
  const { disableRepository } = await import('../../operations/repository/disable-repository.ts')
  await withRepository(fullName, options, async (store, repository) => {
    if (!(await disableRepository(store, { repository, reason: options.reason, actorId: null })))
      throw new CliError('the reason is empty, longer than 500 characters, or more than a line', {
        exitCode: exitCodes.usage,
        remedy: 'Say in one line why: --reason "…"',
      })
  })
  if (options.json) await printJson({ repository: fullName, disabled: true })
  else say(`Disabled ${fullName}: only its owner opens it, and nobody pushes to it.`)
}

async function enable(fullName: string, options: RepoOptions): Promise<void> {
  const { enableRepository } = await import('../../operations/repository/disable-repository.ts')
  await withRepository(fullName, options, (store, repository) => enableRepository(store, { repository, actorId: null }))
  if (options.json) await printJson({ repository: fullName, disabled: false })
  else say(`Enabled ${fullName}.`)
}

async function withRepository(
  fullName: string,
  { data }: RepoOptions,
  change: (store: Store, repository: Repository) => Promise<void>,
): Promise<void> {
  const { config } = readConfig({ data })
  const [owner = '', name = ''] = fullName.split('/')
  await withStore(config.dataDir, async (store) => {
    const repository = await store.repositories.findByName(owner, name)
    if (repository === null)
      throw new CliError(`there is no repository "${fullName}" in ${config.dataDir}`, {
        exitCode: exitCodes.usage,
        remedy: 'List them: texproof repo list',
      })
    await change(store, repository)
  })
}
