import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** These programs take milliseconds, but a start of the server must not fail on a machine that is busy. */
const TIMEOUT_MS = 60_000

/** Runs a trusted program of the host without a document, and returns its standard output. */
export async function captureOutput(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await execute(program, args, { env, cwd: '/', timeout: TIMEOUT_MS, maxBuffer: 1024 * 1024 })
  return stdout
}
