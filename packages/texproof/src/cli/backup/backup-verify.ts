import { resolve } from 'node:path'

import type { Command } from 'commander'

import { formatBytes } from '../../domain/text/format-bytes.ts'
import { exitCodes } from '../exit-codes.ts'
import { print, printJson } from '../print.ts'
import { say } from '../say.ts'
import { describeCounts } from './describe-counts.ts'
import { measureFile } from './measure-file.ts'
import { openStepLine } from './show-step.ts'
import { withInterrupt } from '../with-interrupt.ts'

const examples = `
The backup is unpacked into $TMPDIR, which needs enough space. Exits with 1 if the backup is damaged.

Examples:
  $ texproof backup verify /backups/texproof-2026-11-20-030000.tar
  $ TMPDIR=/scratch texproof backup verify before-upgrade.tar --json`

/** `texproof backup verify FILE`: unpacks a backup into a temporary directory and opens its contents. */
export function defineBackupVerify(backup: Command): void {
  backup
    .command('verify <file>')
    .description('check every byte, the database and every repository of a backup')
    .option('--json', 'print the contents as JSON')
    .addHelpText('after', examples)
    .exitOverride()
    .action(verifyFile)
}

async function verifyFile(file: string, { json }: { readonly json?: true }): Promise<void> {
  const { verifyBackup } = await import('../../backup/verify-backup.ts')
  const path = resolve(file)
  const size = await measureFile(path)
  const line = openStepLine()
  const verified = await withInterrupt((signal) =>
    verifyBackup(path, {
      signal,
      onProgress: (bytes) => line.show(`unpacking  ${formatBytes(bytes)} of ${formatBytes(size)}`),
      onRepository: (fullName) => line.show(`checking  ${fullName}`),
    }).finally(() => line.end()),
  )
  const { counts, createdAt, damaged, damagedPdfs, version } = verified
  for (const { fullName, damage } of damaged) say(`✗ ${fullName} is damaged: ${damage}`)
  for (const name of damagedPdfs) say(`✗ ${name} is damaged: the content does not match its checksum`)
  if (damagedPdfs.length > 0)
    say('  After a restore, remove damaged PDFs with texproof doctor --repair. They are built again on demand.')
  const isSound = damaged.length + damagedPdfs.length === 0
  if (!isSound) process.exitCode = exitCodes.failed
  const made = new Date(createdAt).toISOString()
  if (json)
    await printJson({
      path,
      size,
      created_at: made,
      version,
      ...counts,
      damaged: damaged.map(({ fullName, damage }) => ({ full_name: fullName, damage })),
      damaged_pdfs: damagedPdfs,
    })
  else await print(`${path}  ${formatBytes(size)}  ${isSound ? 'verified' : 'damaged'}: ${describeCounts(counts)}\n`)
}
