import type { ExitCode } from './exit-codes.ts'

/** Ends a command with a message for the user: what and where in `message`, how to fix it in `remedy`. */
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
