import { stat } from 'node:fs/promises'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** Size of a backup file in bytes. @throws CliError 2 when it cannot be read. */
export async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? `${path} not found` : `cannot read ${path}: ${error.message}`
    throw new CliError(message, { exitCode: exitCodes.usage, remedy: 'List backups with `texproof backup list DIR`.' })
  })
  if (found.isFile()) return found.size
  throw new CliError(`${path} is not a file`, {
    exitCode: exitCodes.usage,
    remedy: `List the backups in it with \`texproof backup list ${path}\`.`,
  })
}
