import { spawn } from 'node:child_process'

/** Output and exit of a program. */
export interface ProgramOutcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Without the cache, the programs spend more time compiling their sources than working. */
const compileCache = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }

/** Runs a program to its end with text as its input. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly input?: string; readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<ProgramOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramOutcome>()
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8', ...compileCache, ...options.env }
  const child = spawn(command, args, { env, cwd: options.cwd, stdio: 'pipe' })
  // First: without descriptors there are no pipes.
  child.once('error', reject)
  promise.catch(() => {}) // the caller then gets the error of the missing pipe
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.once('close', (code) =>
    resolve({
      exitCode: code ?? -1,
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
    }),
  )
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return promise
}

/** Runs git in a directory and returns its output without the last newline. @throws Error if git fails. */
export async function runTestGit(cwd: string, args: readonly string[], input = ''): Promise<string> {
  const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' }
  const outcome = await runProgram('git', args, { cwd, input, env })
  if (outcome.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`)
  return outcome.stdout.trimEnd()
}
