import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { Command } from 'commander'

import type { BackupProgress, MadeBackup } from '../../backup/make-backup.ts'
import { readConfig } from '../../config/read-config.ts'
import { formatBytes } from '../../web/ui/format/format-bytes.ts'
import { CliError } from '../cli-error.ts'
import { dataOption } from '../data-option.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { withStore } from '../with-store.ts'
import { openStepLine } from './show-step.ts'
import { withInterrupt } from '../with-interrupt.ts'

interface BackupCreateOptions {
  readonly data?: string
  readonly withPdfs?: true
  readonly json?: true
}

const examples = `
The host may run and take pushes meanwhile. The file holds what the data directory holds, secrets too: its owner alone
can read it. PDFs are built again when somebody looks for them, but those of tags, which come along.

Examples:
  $ texproof backup create
  $ texproof backup create /backups --data /var/lib/texproof
  $ texproof backup create before-upgrade.tar --with-pdfs`

/** `texproof backup create [FILE|DIR]`: one file with everything that cannot be made again. */
export function defineBackupCreate(backup: Command): void {
  backup
    .command('create [place]')
    .description('make a backup: in a folder (default: backup.dir), or as the file NAME.tar')
    .addOption(dataOption())
    .option('--with-pdfs', 'take every PDF along')
    .option('--json', 'print what was made as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(createBackup)
}

async function createBackup(place: string | undefined, options: BackupCreateOptions): Promise<void> {
  const { config } = readConfig({ data: options.data })
  const [{ makeBackup }, { nameBackup }, { noteBackup }] = await Promise.all([
    import('../../backup/make-backup.ts'),
    import('../../backup/list-backups.ts'),
    import('../../backup/last-backup.ts'),
  ])
  await requireHost(config.dataDir)
  const chosen = resolve(place ?? config.backup.dir)
  const target = place?.endsWith('.tar') ? chosen : join(chosen, nameBackup(Date.now()))
  const line = openStepLine()
  const onProgress = (progress: BackupProgress): void => line.show(describe(progress))
  const made = await withStore(config.dataDir, (store) =>
    withInterrupt(async (signal) => {
      const pdfs = options.withPdfs ? 'all' : 'of-tags'
      const source = { dataDir: config.dataDir, store }
      const one = await makeBackup(source, { target, pdfs, signal, onProgress }).finally(() => line.end())
      await noteBackup(store, { at: one.createdAt, path: one.path, sizeBytes: one.sizeBytes })
      return one
    }),
  )
  for (const { fullName, damage } of made.damaged)
    say(`! ${fullName} is damaged in the data directory, and in the backup as it is: ${damage}`)
  await (options.json ? printJson(present(made)) : print(`${made.path}  ${formatBytes(made.sizeBytes)}  verified\n`))
}

/** @throws CliError 2: an empty backup of a data directory that a slip of the pen has named would look like any other. */
async function requireHost(dataDir: string): Promise<void> {
  const isThere = await access(join(dataDir, 'texproof.db')).then(
    () => true,
    () => false,
  )
  if (isThere) return
  throw new CliError(`there is no host in ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: 'Name its data directory: --data DIR, or TEXPROOF_DATA_DIR.',
  })
}

function describe(progress: BackupProgress): string {
  if (progress.step === 'writing') return `backing up  ${formatBytes(progress.bytes)}`
  return `reading back  ${formatBytes(progress.bytes)} of ${formatBytes(progress.ofBytes)}`
}

function present({ path, sizeBytes, createdAt, repositories, damaged }: MadeBackup): object {
  return {
    path,
    size: sizeBytes,
    created_at: new Date(createdAt).toISOString(),
    repositories,
    damaged: damaged.map(({ fullName, damage }) => ({ full_name: fullName, damage })),
  }
}
