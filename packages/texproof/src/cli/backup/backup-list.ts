import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Command } from 'commander'

import { readConfig } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { dataOption } from '../data-option.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { describeTime } from './describe-counts.ts'

const examples = `
Examples:
  $ texproof backup list
  $ texproof backup list /backups --json`

/** `texproof backup list [DIR]`: the backups in a directory, newest first. */
export function defineBackupList(backup: Command): void {
  backup
    .command('list [dir]')
    .description('list the backups in a directory (default: backup.dir), newest first')
    .addOption(dataOption())
    .option('--json', 'print as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(listFolder)
}

async function listFolder(
  folder: string | undefined,
  { data, json }: { readonly data?: string; readonly json?: true },
): Promise<void> {
  const { listBackups } = await import('../../backup/list-backups.ts')
  const place = resolve(folder ?? readConfig({ data }).config.backup.dir)
  // The configured one is created by the first backup.
  const found = statSync(place, { throwIfNoEntry: false })
  const problem = found === undefined ? 'was not found' : found.isDirectory() ? null : 'is not a directory'
  if (problem !== null && (folder !== undefined || found !== undefined))
    throw new CliError(`${place} ${problem}`, { exitCode: exitCodes.usage, remedy: 'Pass a directory of backups.' })
  const backups = await listBackups(place)
  if (json) {
    await printJson(
      backups.map(({ path, sizeBytes, createdAt, version }) => ({
        path,
        size: sizeBytes,
        created_at: new Date(createdAt).toISOString(),
        version,
      })),
    )
    return
  }
  if (backups.length === 0) say(`No backups in ${place}`)
  for (const { path, sizeBytes, createdAt, version } of backups)
    await print(`${path}  ${formatBytes(sizeBytes)}  ${describeTime(createdAt)}  Texproof ${version}\n`)
}
