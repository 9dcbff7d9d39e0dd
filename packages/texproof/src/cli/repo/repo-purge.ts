import { join } from 'node:path'

import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import type { Repository } from '../../domain/types.ts'
import type { PurgeDeps, PurgePlan, PurgeProgress, Purged } from '../../operations/repository/purge-repository.ts'
import { formatBytes } from '../../web/ui/format/format-bytes.ts'
import { withInterrupt } from '../with-interrupt.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'

interface PurgeCommandOptions {
  readonly data?: string
  readonly dryRun?: true
  readonly json?: true
}

const examples = `
Deleted branches and commits replaced by a forced push stay readable for everybody who may read the repository and knows
the commit id, until you purge. A purge cannot be undone. Backups made before it still hold what it removes, and so do
clones. The repository is archived while the purge runs; the server may go on running.

Examples:
  $ texproof repo purge alice/tides --dry-run
  $ texproof repo purge alice/tides
  $ texproof repo purge alice/tides --json`

/** `texproof repo purge OWNER/NAME`: removes unreachable commits, their builds and their PDFs for good. */
export function defineRepoPurge(repo: Command): void {
  repo
    .command('purge <owner/name>')
    .description('remove for good what no branch and no tag reaches')
    .addOption(dataOption())
    .option('--dry-run', 'list what would be removed; change nothing')
    .option('--json', 'print the outcome as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(purge)
}

async function purge(fullName: string, { data, dryRun, json }: PurgeCommandOptions): Promise<void> {
  const { planPurge, purgeRepository } = await import('../../operations/repository/purge-repository.ts')
  const { dataDir } = readConfig({ data }).config
  await withRepository(fullName, dataDir, (deps, repository) =>
    withInterrupt(async (signal) => {
      if (dryRun) return showPlan(await planPurge(deps, repository, { signal }), json === true)
      const progress: PurgeProgress = { signal, onStep: (step) => say(`  ${step}`) }
      return showOutcome(fullName, await purgeRepository(deps, repository, progress), json === true)
    }),
  )
}

async function withRepository(
  fullName: string,
  dataDir: string,
  use: (deps: PurgeDeps, repository: Repository) => Promise<void>,
): Promise<void> {
  const { openGitStore } = await import('../../git/open-git-store.ts')
  await withStore(dataDir, async (store) => {
    const [owner = '', name = ''] = fullName.split('/')
    const repository = await store.repositories.findByName(owner, name)
    if (repository === null)
      throw new CliError(`there is no repository "${fullName}" in ${dataDir}`, {
        exitCode: exitCodes.usage,
        remedy: 'List them: texproof repo list',
      })
    const git = await openGitStore({ root: join(dataDir, 'repositories') })
    try {
      await use({ dataDir, git, store }, repository)
    } finally {
      await git.close()
    }
  })
}

async function showPlan(plan: PurgePlan, isJson: boolean): Promise<void> {
  const { commits, deletedBranches, builtCommitIds } = plan
  if (isJson) return printJson({ commits, deleted_branches: deletedBranches, built_commits: builtCommitIds.length })
  for (const { id, date, subject } of commits) await print(`${id}  ${date}  ${printable(subject)}\n`)
  const branches = deletedBranches.length === 0 ? '' : `, deleted branches ${deletedBranches.join(', ')}`
  say(`Would remove ${commits.length} commits, builds of ${builtCommitIds.length} commits${branches}.`)
}

async function showOutcome(fullName: string, purged: Purged, isJson: boolean): Promise<void> {
  const { commits, builds, freedBytes } = purged
  if (isJson) return printJson({ repository: fullName, commits, builds, freed_bytes: freedBytes })
  say(`Purged ${fullName}: ${commits} commits, ${builds} builds, ${formatBytes(Math.max(0, freedBytes))} freed.`)
}

/** Whoever wrote a commit message could otherwise control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
