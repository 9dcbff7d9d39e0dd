import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import { waitForSignal } from './wait-for-signal.ts'

/**
 * Runs work that cleans up when its signal aborts, on SIGINT, SIGTERM and SIGHUP.
 *
 * @throws CliError 130 if it was interrupted.
 */
export async function withInterrupt<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController()
  void waitForSignal().then(() => stop.abort())
  try {
    return await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new CliError('interrupted; incomplete files were removed', { exitCode: exitCodes.interrupted })
  }
}
