import { getSystemErrorMap } from 'node:util'

import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'

const rejected = new WeakSet<Error>()

/**
 * Writes data to standard output and resolves after it is flushed, so that no output is lost on exit.
 *
 * @throws CliError 2 if it cannot be written.
 */
export function print(bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (!error) return resolve()
      rejected.add(error)
      reject(explainLostOutput(error))
    })
  })
}

/** Writes one value as JSON with a final newline. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`)
}

/** Whether a caller of `print` gets this error of standard output. */
export function isRejected(error: Error): boolean {
  return rejected.has(error)
}

/** An error of standard output for the user. */
export function explainLostOutput(error: NodeJS.ErrnoException): CliError {
  const [, reason = error.message] = getSystemErrorMap().get(error.errno ?? 0) ?? []
  return new CliError(`cannot write standard output: ${reason}`, { exitCode: exitCodes.usage })
}
