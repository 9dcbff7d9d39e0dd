import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { headEntry } from '../../backup/backup-entries.ts'
import { measureFolder } from '../../backup/list-backups.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** Size of a backup in bytes. @throws CliError 2 when it cannot be read. */
export async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? `${path} not found` : `cannot read ${path}: ${error.message}`
    throw new CliError(message, { exitCode: exitCodes.usage, remedy: 'List backups with `texproof backup list DIR`.' })
  })
  if (found.isFile()) return found.size
  // An incremental backup is a folder.
  if (existsSync(join(path, headEntry))) return measureFolder(path)
  throw new CliError(`${path} is not a file`, {
    exitCode: exitCodes.usage,
    remedy: `List the backups in it with \`texproof backup list ${path}\`.`,
  })
}
