import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a trusted program of the host without a document, and returns its standard output. */
export async function captureOutput(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await execute(program, args, { env, cwd: '/', timeout: 10_000, maxBuffer: 1024 * 1024 })
  return stdout
}
