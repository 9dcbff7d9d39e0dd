import type { Command } from 'commander'

import { readConfig, type Config } from '../../config/read-config.ts'
import type { Repository } from '../../domain/types.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { PurgeDeps, PurgePlan, PurgeProgress, Purged } from '../../operations/repository/purge-repository.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { withInterrupt } from '../with-interrupt.ts'
import { dataOption } from '../data-option.ts'
import { print, printJson } from '../print.ts'
import { noSuchRepository } from './no-such-repository.ts'
import { say } from '../say.ts'
import { withGit } from './with-git.ts'
import { withStore } from '../with-store.ts'

interface PurgeCommandOptions {
  readonly data?: string
  readonly dryRun?: true
  readonly json?: true
}

const examples = `
Commits of deleted branches and commits replaced by a force push stay readable by commit id until you purge them. A purge
cannot be undone. Earlier backups and clones keep the purged commits. The repository is archived during the purge. The
server can keep running.

Examples:
  $ texproof repo purge alice/tides --dry-run
  $ texproof repo purge alice/tides
  $ texproof repo purge alice/tides --json`

/** `texproof repo purge OWNER/NAME`: deletes unreachable commits with their builds and PDFs. */
export function defineRepoPurge(repo: Command): void {
  repo
    .command('purge <owner/name>')
    .description('delete commits that no branch or tag contains')
    .addOption(dataOption())
    .option('--dry-run', 'list the commits without deleting anything')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(purge)
}

async function purge(fullName: string, { data, dryRun, json }: PurgeCommandOptions): Promise<void> {
  const { planPurge, purgeRepository } = await import('../../operations/repository/purge-repository.ts')
  await withRepository(fullName, readConfig({ data }).config, (deps, repository) =>
    withInterrupt(async (signal) => {
      if (dryRun) return showPlan(await planPurge(deps, repository, { signal }), json === true)
      const progress: PurgeProgress = { signal, onStep: (step) => say(`  ${step}`) }
      return showOutcome(fullName, await purgeRepository(deps, repository, progress), json === true)
    }),
  )
}

async function withRepository(
  fullName: string,
  config: Config,
  use: (deps: PurgeDeps, repository: Repository) => Promise<void>,
): Promise<void> {
  const { dataDir } = config
  await withStore(config, async (store) => {
    const [owner = '', name = ''] = fullName.split('/')
    const repository = await store.repositories.findByName(owner, name)
    if (repository === null) throw noSuchRepository(fullName, dataDir)
    await withGit(config, ({ git, copies }) => use({ dataDir, git, store, copies }, repository))
  })
}

async function showPlan(plan: PurgePlan, isJson: boolean): Promise<void> {
  const { commits, deletedBranches, builtCommitIds } = plan
  if (isJson) return printJson({ commits, deleted_branches: deletedBranches, built_commits: builtCommitIds.length })
  for (const { id, date, subject } of commits) await print(`${id}  ${date}  ${printable(subject)}\n`)
  const branches = deletedBranches.length === 0 ? '' : `, deleted branches ${deletedBranches.join(', ')}`
  say(
    `Would delete ${countOf(commits.length, 'commit')} and the builds of ${countOf(builtCommitIds.length, 'commit')}${branches}`,
  )
}

async function showOutcome(fullName: string, purged: Purged, isJson: boolean): Promise<void> {
  const { commits, builds, freedBytes } = purged
  if (isJson) return printJson({ repository: fullName, commits, builds, freed_bytes: freedBytes })
  say(
    `Purged ${fullName}: ${countOf(commits, 'commit')}, ${countOf(builds, 'build')}, ${formatBytes(Math.max(0, freedBytes))} freed`,
  )
}

/** Removes control characters, with which a commit message could control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
