import { runProgram } from '../programs/run-program.ts'

/** Runs git in a directory and answers what it printed, without the last newline. @throws Error when git fails. */
export async function runTestGit(cwd: string, args: readonly string[], input = ''): Promise<string> {
  const env = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const outcome = await runProgram('git', args, { cwd, input, env })
  if (outcome.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${outcome.stderr}`)
  return outcome.stdout.trimEnd()
}
