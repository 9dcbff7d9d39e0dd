import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import type { Repository } from '../../domain/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print.ts'
import { noSuchRepository } from './no-such-repository.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface RepoOptions {
  readonly data?: string
  readonly json?: true
}

const disableExamples = `
Examples:
  $ texproof repo disable alice/tides --reason "Copyright complaint; contact papers@example.org"
  $ texproof repo disable alice/tides --reason "Under review" --json`

const enableExamples = `
Examples:
  $ texproof repo enable alice/tides
  $ texproof repo enable alice/tides --json`

/** `texproof repo disable|enable OWNER/NAME`: blocks access to a repository without deleting it. */
export function defineRepoDisable(repo: Command): void {
  repo
    .command('disable <owner/name>')
    .description('disable a repository: only its owner and admin collaborators can read it')
    .requiredOption('--reason <words>', 'reason shown to the owner')
    .addOption(dataOption())
    .option('--json', 'print the result as JSON')
    .addHelpText('after', disableExamples)
    .exitOverride()
    .action(disable)
  repo
    .command('enable <owner/name>')
    .description('enable a disabled repository')
    .addOption(dataOption())
    .option('--json', 'print the result as JSON')
    .addHelpText('after', enableExamples)
    .exitOverride()
    .action(enable)
}

async function disable(fullName: string, options: RepoOptions & { readonly reason: string }): Promise<void> {
  const { disableRepository } = await import('../../operations/repository/disable-repository.ts')
  await withRepository(fullName, options, async ({ store, repository }) => {
    if (!(await disableRepository(store, { repository, reason: options.reason, actorId: null })))
      throw new CliError('invalid reason', {
        exitCode: exitCodes.usage,
        remedy: 'Expected: one line of at most 500 characters.',
      })
  })
  if (options.json) await printJson({ repository: fullName, disabled: true })
  else say(`Disabled ${fullName}: only its owner and admin collaborators can read it; pushes are rejected`)
}

async function enable(fullName: string, options: RepoOptions): Promise<void> {
  const { enableRepository } = await import('../../operations/repository/disable-repository.ts')
  const { markPending } = await import('../../papers/push/pending-repositories.ts')
  await withRepository(fullName, options, ({ store, dataDir, repository }) => {
    // The server queues the builds, see `openPapers`.
    const reopen: Papers['reopen'] = async (id, work) => {
      await markPending(dataDir, [id])
      return work()
    }
    return enableRepository({ store, papers: { reopen } }, { repository, actorId: null })
  })
  if (options.json) await printJson({ repository: fullName, disabled: false })
  else say(`Enabled ${fullName}`)
}

async function withRepository(
  fullName: string,
  { data }: RepoOptions,
  change: (found: {
    readonly store: Store
    readonly dataDir: string
    readonly repository: Repository
  }) => Promise<void>,
): Promise<void> {
  const { config } = readConfig({ data })
  const [owner = '', name = ''] = fullName.split('/')
  await withStore(config, async (store) => {
    const repository = await store.repositories.findByName(owner, name)
    if (repository === null) throw noSuchRepository(fullName, config.dataDir)
    await change({ store, dataDir: config.dataDir, repository })
  })
}
