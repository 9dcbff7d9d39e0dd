import { mkdir } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'

import type { Command } from 'commander'

import type { RestoreOptions, RestorePlan, Restored } from '../../backup/restore-backup.ts'
import { readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { formatBytes } from '../../web/ui/format/format-bytes.ts'
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
The host must not run. Tokens go on working; everybody signs in again. Restore only what you have made yourself: a backup
brings its own administrators.

Examples:
  $ texproof restore /backups/texproof-2026-11-20-030000.tar --dry-run
  $ texproof restore /backups/texproof-2026-11-20-030000.tar --data /var/lib/texproof
  $ texproof restore before-upgrade.tar --replace`

/** `texproof restore FILE`: a backup in an empty data directory, or in place of what is there. */
export function defineRestore(program: Command): void {
  program
    .command('restore <file>')
    .description('put a backup into an empty data directory, or in place of what is there')
    .addOption(dataOption())
    .option('--dry-run', 'check the backup and say what would be replaced; change nothing')
    .option('--replace', 'move what is in the data directory aside')
    .option('--json', 'print the outcome as JSON')
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
      onRepository: (fullName) => line.show(`opening  ${fullName}`),
    }
    if (options.dryRun) {
      const plan = await planRestore(path, how).finally(() => line.end())
      await (options.json ? printJson(presentPlan(plan)) : print(describePlan(plan, { path, size, dataDir })))
      return
    }
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const isReplacing = options.replace === true
    const restored = await restoreBackup(path, { ...how, isReplacing }).finally(() => line.end())
    await tell(restored, { dataDir, isJson: options.json === true })
  })
}

/** A folder of backups in the data directory stays where it is. */
function listKept({ backup, dataDir }: Config): readonly string[] {
  const [first] = relative(dataDir, backup.dir).split(sep)
  return first === undefined || first === '' || first === '..' ? [] : [first]
}

function describePlan(
  { counts, createdAt, isEmpty, replaced, version }: RestorePlan,
  { path, size, dataDir }: { readonly path: string; readonly size: number; readonly dataDir: string },
): string {
  const there = replaced === null ? 'files, but no database that can be read' : describeCounts(replaced)
  const now = isEmpty
    ? `${dataDir} is empty: nothing would be replaced.`
    : `${dataDir} holds ${there}: --replace would move that aside.`
  return `${path}  ${formatBytes(size)}  ${describeTime(createdAt)}  Texproof ${version}
It brings ${describeCounts(counts)}.
${now}
Nothing was changed.
`
}

function presentPlan({ counts, createdAt, isEmpty, replaced, version }: RestorePlan): object {
  const made = new Date(createdAt).toISOString()
  return { created_at: made, version, brings: counts, is_empty: isEmpty, replaces: replaced }
}

async function tell(
  { aside, counts, createdAt, damaged }: Restored,
  { dataDir, isJson }: { readonly dataDir: string; readonly isJson: boolean },
): Promise<void> {
  for (const { fullName, damage } of damaged) say(`! ${fullName} was damaged when the backup was made: ${damage}`)
  if (isJson) return printJson({ ...counts, created_at: new Date(createdAt).toISOString(), aside })
  say(`Restored ${describeCounts(counts)} into ${dataDir}, as of ${describeTime(createdAt)}.`)
  if (aside !== null) say(`What was there lies in ${aside}. Remove it when you are sure.`)
  say('Tokens work as before; everybody signs in again. PDFs are built again when somebody looks for them.')
  say(`Start the host: texproof serve --data ${dataDir}`)
}
