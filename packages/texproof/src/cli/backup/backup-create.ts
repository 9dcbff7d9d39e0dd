import { dirname, join, resolve } from 'node:path'

import type { Command } from 'commander'

import type { BackupProgress, MadeBackup } from '../../backup/make-backup.ts'
import { commandFor } from '../../config/command-line.ts'
import { readConfig } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { dataOption } from '../data-option.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'
import { openStepLine } from './show-step.ts'
import { withInterrupt } from '../with-interrupt.ts'

interface BackupCreateOptions {
  readonly data?: string
  readonly withPdfs?: true
  readonly incremental?: true
  readonly json?: true
}

/** Most missing PDFs that are named. */
const MAX_NAMED = 10

const examples = `
The server can keep running and accept pushes. The file contains the secrets of the data directory and is readable by its
owner only. It contains the PDFs of tags; after a restore, the server rebuilds the PDFs of branches. Exits with 1 if a
repository or PDF is damaged (the backup then contains the damaged data), or if PDFs in the bucket cannot be read.

Examples:
  $ texproof backup create
  $ texproof backup create /backups --data /var/lib/texproof
  $ texproof backup create /backups --incremental
  $ texproof backup create before-upgrade.tar --with-pdfs`

/** `texproof backup create [FILE|DIR]`: writes everything that cannot be rebuilt into one file. */
export function defineBackupCreate(backup: Command): void {
  backup
    .command('create [target]')
    .description('create a backup in a directory (default: backup.dir) or as FILE.tar')
    .addOption(dataOption())
    .option('--with-pdfs', 'include every PDF')
    .option('--incremental', 'write a folder that shares unchanged files with the newest backup in the directory')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(createBackup)
}

async function createBackup(place: string | undefined, options: BackupCreateOptions): Promise<void> {
  const { config } = readConfig({ data: options.data })
  const [{ makeBackup }, { nameBackup, nameIncrementalBackup }, { noteAttempt, noteBackup }] = await Promise.all([
    import('../../backup/make-backup.ts'),
    import('../../backup/list-backups.ts'),
    import('../../backup/last-backup.ts'),
  ])
  const chosen = resolve(place ?? config.backup.dir)
  const isIncremental = options.incremental === true
  const isFile = place?.endsWith('.tar') === true
  if (isFile && isIncremental)
    throw new CliError('an incremental backup is a folder, not a file', {
      exitCode: exitCodes.usage,
      remedy: 'Pass the directory of the backups.',
    })
  const name = isIncremental ? nameIncrementalBackup(Date.now()) : nameBackup(Date.now())
  const target = isFile ? chosen : join(chosen, name)
  const line = openStepLine()
  const onProgress = (progress: BackupProgress): void => line.show(describe(progress))
  const made = await withStore(config, (store) =>
    withInterrupt(async (signal) => {
      const pdfs = options.withPdfs ? 'all' : 'of-tags'
      const source = { dataDir: config.dataDir, store, bucket: config.bucket }
      const one = await makeBackup(source, { target, pdfs, signal, onProgress, isIncremental }).finally(() =>
        line.end(),
      )
      await noteBackup(store, one)
      if (dirname(one.path) === config.backup.dir) await noteAttempt(store, one.createdAt)
      return one
    }),
  )
  for (const { fullName, damage } of made.damaged)
    say(`✗ ${fullName} is damaged, and so is its copy in the backup: ${damage}`)
  if (made.damaged.length > 0) {
    say('  Restore the repository from an earlier backup. Details: texproof doctor --deep')
    process.exitCode = exitCodes.failed
  }
  for (const pdf of made.damagedPdfs) say(`✗ ${pdf} is damaged: the content does not match its checksum`)
  if (made.damagedPdfs.length > 0) {
    say(`  Remove damaged PDFs, which are then built again on demand: ${commandFor(config.dataDir, 'doctor --repair')}`)
    process.exitCode = exitCodes.failed
  }
  sayMissing(made.missingPdfs)
  await (options.json ? printJson(present(made)) : print(`${made.path}  ${formatBytes(made.sizeBytes)}  verified\n`))
}

function sayMissing(missing: MadeBackup['missingPdfs']): void {
  if (missing.length === 0) return
  process.exitCode = exitCodes.failed
  for (const { name, reason } of missing.slice(0, MAX_NAMED)) say(`✗ ${name} is not in the backup: ${reason}`)
  if (missing.length > MAX_NAMED) say(`✗ ${missing.length - MAX_NAMED} more PDFs are not in the backup`)
  say('  Everything else is in the backup. Create another one when the bucket can be read.')
}

function describe(progress: BackupProgress): string {
  if (progress.step === 'writing') return `writing  ${formatBytes(progress.bytes)}`
  return `verifying  ${formatBytes(progress.bytes)} of ${formatBytes(progress.ofBytes)}`
}

function present(made: MadeBackup): object {
  const { path, sizeBytes, createdAt, repositories, damaged, damagedPdfs, missingPdfs } = made
  return {
    path,
    size: sizeBytes,
    created_at: new Date(createdAt).toISOString(),
    repositories,
    damaged: damaged.map(({ fullName, damage }) => ({ full_name: fullName, damage })),
    damaged_pdfs: damagedPdfs,
    missing_pdfs: missingPdfs.map(({ name }) => name),
  }
}
