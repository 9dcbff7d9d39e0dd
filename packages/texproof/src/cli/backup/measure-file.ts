import { stat } from 'node:fs/promises'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** Bytes of a file that a command was given. @throws CliError 2 when it cannot be read. */
export async function measureFile(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${error.message}`
    throw new CliError(message, { exitCode: exitCodes.usage, remedy: 'List backups: texproof backup list DIR' })
  })
  if (found.isFile()) return found.size
  throw new CliError(`${path} is no file`, {
    exitCode: exitCodes.usage,
    remedy: `Name one of the backups in it: texproof backup list ${path}`,
  })
}
