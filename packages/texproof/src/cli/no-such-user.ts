import { commandFor } from '../config/command-line.ts'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

/** The error for an unknown username. */
export function noSuchUser(login: string, dataDir: string): CliError {
  return new CliError(`user "${login}" not found in ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: `List users: ${commandFor(dataDir, 'user list')}`,
  })
}
