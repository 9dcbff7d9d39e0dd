import { relative, resolve, sep } from 'node:path'

import type { Command } from 'commander'

import type { RestoreOptions, RestorePlan, Restored } from '../../backup/restore-backup.ts'
import { commandFor } from '../../config/command-line.ts'
import { readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { makeDataFolder } from '../data-dir.ts'
import { dataOption } from '../data-option.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { describeCounts, describeTime } from './describe-counts.ts'
import { measureFile } from './measure-file.ts'
import { openStepLine } from './show-step.ts'
import { withInterrupt } from '../with-interrupt.ts'

interface RestoreCommandOptions {
  readonly data?: string
  readonly dryRun?: true
  readonly replace?: true
  readonly json?: true
}

const examples = `
Stop the server first. Tokens stay valid; all users must sign in again. Restore only backups that you trust: a backup
includes its administrator accounts.

Examples:
  $ texproof restore /backups/texproof-2026-11-20-030000.tar --dry-run
  $ texproof restore /backups/texproof-2026-11-20-030000.tar --data /var/lib/texproof
  $ texproof restore before-upgrade.tar --replace`

/** `texproof restore FILE`: restores a backup into an empty data directory, or replaces its contents. */
export function defineRestore(program: Command): void {
  program
    .command('restore <file>')
    .description('restore a backup')
    .addOption(dataOption())
    .option('--dry-run', 'check the backup and show what would be replaced')
    .option('--replace', 'move the current contents of the data directory aside')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(restoreFile)
}

async function restoreFile(file: string, options: RestoreCommandOptions): Promise<void> {
  const { planRestore, restoreBackup } = await import('../../backup/restore-backup.ts')
  const { config } = readConfig({ data: options.data })
  const { dataDir } = config
  const path = resolve(file)
  const size = await measureFile(path)
  const line = openStepLine()
  await withInterrupt(async (signal) => {
    const how: RestoreOptions = {
      dataDir,
      keep: listKept(config),
      signal,
      onProgress: (bytes) => line.show(`reading  ${formatBytes(bytes)} of ${formatBytes(size)}`),
      onRepository: (fullName) => line.show(`checking  ${fullName}`),
    }
    if (options.dryRun) {
      const plan = await planRestore(path, how).finally(() => line.end())
      await (options.json ? printJson(presentPlan(plan)) : print(describePlan(plan, { path, size, dataDir })))
      return
    }
    await makeDataFolder(dataDir)
    const isReplacing = options.replace === true
    const restored = await restoreBackup(path, { ...how, isReplacing }).finally(() => line.end())
    await report(restored, { config, isJson: options.json === true })
  })
}

/** A backup folder in the data directory is kept. */
function listKept({ backup, dataDir }: Config): readonly string[] {
  const [first] = relative(dataDir, backup.dir).split(sep)
  return first === undefined || first === '' || first === '..' ? [] : [first]
}

function describePlan(
  { counts, createdAt, isEmpty, replaced, version }: RestorePlan,
  { path, size, dataDir }: { readonly path: string; readonly size: number; readonly dataDir: string },
): string {
  const there = replaced === null ? 'files, but no readable database' : describeCounts(replaced)
  const now = isEmpty
    ? `${dataDir} is empty. Nothing would be replaced.`
    : `${dataDir} contains ${there}. --replace would move them aside.`
  return `${path}  ${formatBytes(size)}  ${describeTime(createdAt)}  Texproof ${version}
The backup contains ${describeCounts(counts)}.
${now}
No changes made.
`
}

function presentPlan({ counts, createdAt, isEmpty, replaced, version }: RestorePlan): object {
  const made = new Date(createdAt).toISOString()
  return { created_at: made, version, brings: counts, is_empty: isEmpty, replaces: replaced }
}

async function report(
  { aside, counts, createdAt, damaged, damagedPdfs }: Restored,
  { config, isJson }: { readonly config: Config; readonly isJson: boolean },
): Promise<void> {
  const { dataDir, databaseUrl } = config
  for (const { fullName, damage } of damaged) say(`! ${fullName} was already damaged in the backup: ${damage}`)
  for (const name of damagedPdfs) say(`! ${name} was already damaged in the backup`)
  if (damagedPdfs.length > 0)
    say(`  Remove damaged PDFs, which are then built again on demand: ${commandFor(dataDir, 'doctor --repair')}`)
  if (isJson)
    return printJson({
      ...counts,
      created_at: new Date(createdAt).toISOString(),
      aside,
      damaged: damaged.map(({ fullName, damage }) => ({ full_name: fullName, damage })),
      damaged_pdfs: damagedPdfs,
    })
  say(`Restored ${describeCounts(counts)} into ${dataDir} from the backup of ${describeTime(createdAt)}`)
  if (aside !== null) say(`Moved the previous contents to ${aside}. Delete them when you no longer need them.`)
  say('Tokens stay valid; all users must sign in again. The server rebuilds the PDFs of branches.')
  if (databaseUrl !== null)
    say(`The database is a SQLite file. Move it to an empty PostgreSQL database: ${commandFor(dataDir, 'move')}`)
  else say(`Start the server: ${commandFor(dataDir, 'serve')}`)
}
