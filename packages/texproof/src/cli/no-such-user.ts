import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

/** The words for an account that is not there. */
export function noSuchUser(login: string, dataDir: string): CliError {
  return new CliError(`there is no user "${login}" in ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: 'List them: texproof user list',
  })
}
