import type { ExitCode } from './exit-codes.ts'

/** Ends a command with a message for a person: what and where in `message`, what to do in `remedy`. */
export class CliError extends Error {
  readonly exitCode: ExitCode
  readonly remedy: string | null

  constructor(message: string, options: { exitCode: ExitCode; remedy?: string }) {
    super(message)
    this.name = 'CliError'
    this.exitCode = options.exitCode
    this.remedy = options.remedy ?? null
  }
}
