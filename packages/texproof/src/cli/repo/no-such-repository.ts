import { commandFor } from '../../config/command-line.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** The error for an unknown repository. */
export function noSuchRepository(fullName: string, dataDir: string): CliError {
  return new CliError(`repository "${fullName}" not found in ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: `List repositories: ${commandFor(dataDir, 'repo list')}`,
  })
}
